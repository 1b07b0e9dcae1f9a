// Puts a service together: what all branches share is made here, the rest by the branches, and everything is found by
// its token.
import { randomUUID } from 'node:crypto'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { errorRecorder, type RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { createEventBus } from '../../actors/events/event-bus.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { createErrorHistoryStore } from '../../machines/errors/history.ts'
import { EVENT_KINDS, type EventKind } from '../../machines/events/kind.ts'
import { Listeners } from '../../machines/listeners.ts'
import { COLLECTIONS, type Collections, collectionsByName } from '../../machines/settings/collection.ts'
import { createSettingsStore } from '../../machines/settings/store.ts'
import { defaultPolicy, type Policy } from '../../machines/supervision/policy.ts'
import type { Resolve } from '../../machines/token.ts'
import { CLOCK } from '../../native/clock/port.ts'
import type { Log } from '../../native/log/port.ts'
import type { Options } from '../options.ts'
import { bugRecorder } from '../supervision/bugs.ts'
import { type LifecycleEvent, makeSupervisor } from '../supervision/supervisor.ts'
import type { Branch } from './branch.ts'
import { type Binding, createContainer, value } from './container.ts'
import { actorsOf } from './directory.ts'
import { clockPort } from './ports.ts'
import { LIFECYCLE, LOG, ON_BUG, OPTIONS, RECORD, SHOWN, SUPERVISOR } from './tokens.ts'
import { whenClockIsSet } from './when-clock-is-set.ts'

/** What a service is made of. */
export interface Composition {
  readonly branches: readonly Branch[]
  readonly options: Options
  /** Of the device, or fakes; the last of one token counts. */
  readonly ports: readonly Binding[]
  readonly log: Log
  /** Of the service. */
  readonly version: string
  /** Of all children. */
  readonly policy?: Policy
}

/** A service that was put together. start: starts its branches in their order. */
export interface Service {
  readonly resolve: Resolve
  readonly start: Effect.Effect<void, Fault, Scope.Scope>
}

/** The ports of this device. */
export const devicePorts = (branches: readonly Branch[], options: Options): readonly Binding[] =>
  portsOf(branches).map(({ device }) => device(options))

/** Ports of no device at all, which reach nothing. */
export const fakePorts = (branches: readonly Branch[]): readonly Binding[] => portsOf(branches).map(({ fake }) => fake)

/** All that can be stored. */
export const collectionsOf = (branches: readonly Branch[]): Collections =>
  collectionsByName(branches.flatMap(({ collections }) => collections))

/** All kinds of events: of the documents, and what else the branches publish. */
export const eventKindsOf = (branches: readonly Branch[]): readonly EventKind[] =>
  branches.flatMap(({ collections, events }) => [...collections.map(({ changed }) => changed), ...events])

const portsOf = (branches: readonly Branch[]) => [clockPort, ...branches.flatMap(({ ports }) => ports)]

/** Puts a service together; nothing of it runs yet, and no port is touched but the clock. */
export const compose = ({
  branches,
  options,
  ports,
  log,
  version,
  policy = defaultPolicy,
}: Composition): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { resolve, bind } = createContainer()
    bind(...ports)
    const clock = resolve(CLOCK)
    const { nowMs } = clock
    const identity = { version, epoch: randomUUID(), started_at_ms: nowMs(), started_us: clock.monotonicUs() }
    const record: RecordFault = (fault, times = 1) => {
      log('warn', fault.detail, { code: fault.code, resource: fault.resource, ...(times > 1 && { times }) })
      enter(fault, times)
    }
    const onBug = bugRecorder({ record, log, nowMs })
    const lifecycle = new Listeners<LifecycleEvent>(onBug('lifecycle'))
    const shown = new Listeners<string>(onBug('health'))
    const supervisor = yield* makeSupervisor({
      listen: (event) => lifecycle.notify(event),
      look: (id) => shown.notify(id),
      onBug,
      policy,
    })
    const events = createEventBus({ epoch: identity.epoch, nowMs, onBug: onBug('events') })
    const errors = createErrorHistoryStore(onBug('errors'))
    const enter = errorRecorder({ store: errors, events, nowMs })
    const settings = createSettingsStore(undefined, onBug('settings'))
    const directory: Directory = { identity, clock, settings, errors, events, ...actorsOf(supervisor) }
    yield* whenClockIsSet(clock, (byMs) => {
      identity.started_at_ms += byMs
      errors.trigger.clockSet({ by_ms: byMs })
      events.clockSet(byMs)
      supervisor.clockSet(byMs, nowMs())
      log('info', `the clock was set by ${byMs} ms; what was noted before it, since the start, is put right`)
    })
    lifecycle.add(({ id, type, fault, bug }) => {
      if (fault) record(fault)
      else log('debug', `${id} ${type}`)
      if (bug instanceof Error) log('error', bug.stack ?? bug.message)
    })
    bind(
      ...[value(OPTIONS, options), value(LOG, log), value(RECORD, record), value(ON_BUG, onBug)],
      ...[value(SUPERVISOR, supervisor), value(LIFECYCLE, lifecycle), value(SHOWN, shown), value(DIRECTORY, directory)],
      ...[value(COLLECTIONS, collectionsOf(branches)), value(EVENT_KINDS, eventKindsOf(branches))],
      ...branches.flatMap(({ offers }) => offers),
    )
    const start = Effect.forEach(branches, (branch) => branch.start(resolve), { discard: true })
    return { resolve, start }
  })
