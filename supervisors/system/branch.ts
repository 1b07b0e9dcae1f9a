// The system around the service: what it runs on, and how that does.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { ConditionKeeper } from '../../actors/system/condition-keeper.ts'
import { MetricsSource } from '../../actors/system/metrics-source.ts'
import { systemActor } from '../../actors/system/system-actor.ts'
import { SYSTEM_METRICS } from '../../actors/system/tokens.ts'
import { powerChanged, throttlingChanged } from '../../machines/system/events.ts'
import { token } from '../../machines/token.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { SYSTEM } from '../../native/system/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { systemPorts } from './ports.ts'

const SYSTEM_PART = 'system'

const SOURCE = token<MetricsSource>('metrics-source')
const CONDITIONS = token<ConditionKeeper>('condition-keeper')

export const systemBranch = branch({
  events: [powerChanged, throttlingChanged],
  ports: systemPorts,
  offers: [
    offer(SOURCE, { clock: CLOCK, onBug: ON_BUG }, ({ clock, onBug }) => {
      return new MetricsSource({ clock, onBug: onBug(SYSTEM_PART) })
    }),
    offer(SYSTEM_METRICS, { source: SOURCE }, ({ source }) => source),
    offer(
      CONDITIONS,
      { directory: DIRECTORY, record: RECORD },
      ({ directory: { events }, record }) => new ConditionKeeper({ events, record }),
    ),
  ],
  needs: {
    supervisor: SUPERVISOR,
    clock: CLOCK,
    port: SYSTEM,
    source: SOURCE,
    conditions: CONDITIONS,
    streams: STREAM_REGISTRY,
  },
  start: ({ supervisor, streams, ...parts }) => {
    const processes = () => [
      { part: 'control' as const, stream_id: null, pid: process.pid },
      ...streams
        .all()
        .flatMap(({ id, engine: { pid } }) => (pid ? [{ part: 'engine' as const, stream_id: id, pid }] : [])),
    ]
    return supervisor.start({
      id: SYSTEM_PART,
      incarnate: Effect.sync(() => ({ logic: systemActor({ ...parts, processes }) })),
    })
  },
})
