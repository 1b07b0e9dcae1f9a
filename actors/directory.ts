// What every endpoint and every branch of the tree shares. What belongs to one subject is offered by its own room
// (machines/token.ts), not here.
import type { Fault } from '../machines/errors/fault.ts'
import type { ErrorHistoryStore } from '../machines/errors/history.ts'
import type { SettingsStore } from '../machines/settings/store.ts'
import type { ActorName, ActorNamed } from '../machines/supervision/actors.ts'
import { token } from '../machines/token.ts'
import type { Clock } from '../native/clock/port.ts'
import type { EventBus } from './events/event-bus.ts'

/** One supervised part as health shows it. */
export interface Part {
  /** `settings`, `nt4-link`, `streams/front`, `extcam/front`. */
  readonly name: string
  readonly state: string
  /** When this state began. */
  readonly since_ms: number
  readonly restarts: number
  readonly fault: Fault | null
}

/** Facts about this run of the service. */
export interface Identity {
  readonly version: string
  /** New at each start. */
  readonly epoch: string
  /** Unix time, as the clock says it by now: it may have been set since. */
  readonly started_at_ms: number
  /** The same as CLOCK_MONOTONIC, µs, which nobody sets. */
  readonly started_us: number
}

/** What the parts of the service know of one another. Reads read from here; writes ask the actor. */
export interface Directory {
  readonly identity: Identity
  readonly clock: Clock
  readonly settings: SettingsStore
  readonly errors: ErrorHistoryStore
  readonly events: EventBus
  /** undefined while that actor is down (it is being restarted): the caller answers 503. */
  readonly actor: <Name extends ActorName>(name: Name) => ActorNamed<Name> | undefined
  readonly parts: () => readonly Part[]
}

export const DIRECTORY = token<Directory>('directory')
