// The system around the service: what it runs on, and how that does.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { ConditionKeeper } from '../../actors/system/condition-keeper.ts'
import { noteRuns } from '../../actors/system/device-runs.ts'
import { hardwareOf } from '../../actors/system/hardware.ts'
import { MetricsSource } from '../../actors/system/metrics-source.ts'
import { systemActor } from '../../actors/system/system-actor.ts'
import { CONDITIONS, DEVICE_RUNS, HARDWARE, SYSTEM_METRICS } from '../../actors/system/tokens.ts'
import { Latest } from '../../machines/latest.ts'
import { powerChanged, throttlingChanged } from '../../machines/system/events.ts'
import type { DeviceRuns } from '../../machines/system/release.ts'
import { token } from '../../machines/token.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { RUN_RECORD, SYSTEM } from '../../native/system/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LOG, ON_BUG, RECORD, SUPERVISOR } from '../composition/tokens.ts'
import { systemPorts } from './ports.ts'

const SYSTEM_PART = 'system'

const SOURCE = token<MetricsSource>('metrics-source')
const KEEPER = token<ConditionKeeper>('condition-keeper')

export const systemBranch = branch({
  events: [powerChanged, throttlingChanged],
  ports: systemPorts,
  offers: [
    offer(SOURCE, { clock: CLOCK, onBug: ON_BUG }, ({ clock, onBug }) => {
      return new MetricsSource({ clock, onBug: onBug(SYSTEM_PART) })
    }),
    offer(HARDWARE, { source: SOURCE }, ({ source }) => hardwareOf(source)),
    offer(SYSTEM_METRICS, { source: SOURCE }, ({ source }) => source),
    offer(
      CONDITIONS,
      { keeper: KEEPER },
      ({ keeper }) =>
        () =>
          keeper.conditions,
    ),
    offer(DEVICE_RUNS, { onBug: ON_BUG }, ({ onBug }) => new Latest<DeviceRuns>(onBug(SYSTEM_PART))),
    offer(
      KEEPER,
      { directory: DIRECTORY, record: RECORD },
      ({ directory: { events }, record }) => new ConditionKeeper({ events, record }),
    ),
  ],
  needs: {
    supervisor: SUPERVISOR,
    clock: CLOCK,
    port: SYSTEM,
    source: SOURCE,
    conditions: KEEPER,
    runRecord: RUN_RECORD,
    runs: DEVICE_RUNS,
    log: LOG,
    streams: STREAM_REGISTRY,
  },
  start: ({ supervisor, streams, runRecord, runs, log, ...parts }) => {
    const processes = () => [
      { part: 'control' as const, stream_id: null, pid: process.pid },
      ...streams
        .all()
        .flatMap(({ id, engine: { pid } }) => (pid ? [{ part: 'engine' as const, stream_id: id, pid }] : [])),
    ]
    return Effect.andThen(
      noteRuns({ port: runRecord, system: parts.port, log }, runs),
      supervisor.start({
        id: SYSTEM_PART,
        incarnate: Effect.sync(() => ({ logic: systemActor({ ...parts, processes }) })),
      }),
    )
  },
})
