// Who is there: the one place where the API and the actors find one another. It holds what outlives any single incarnation of an actor.
import type { Fault } from '../machines/errors/fault.ts'
import type { ErrorHistoryStore } from '../machines/errors/history.ts'
import type { Latest } from '../machines/latest.ts'
import type { FieldMap } from '../machines/localization/field-map.ts'
import type { Nt4Settings } from '../machines/nt4/settings.ts'
import type { SettingsStore } from '../machines/settings/store.ts'
import type { ActorName, ActorNamed } from '../machines/supervision/actors.ts'
import type { MediaPort } from '../native/media/port.ts'
import type { Nt4Session } from '../native/nt4/port.ts'
import type { EventBus } from './events/event-bus.ts'
import type { StreamDesk } from './stream/stream-desk.ts'

/** Both clocks of the device; the fake moves by hand. */
export interface Clock {
  /** Unix time, ms. */
  readonly nowMs: () => number
  /** CLOCK_MONOTONIC, µs: the time base of every frame. */
  readonly monotonicUs: () => number
}

/** One supervised part as health shows it. name: `settings`, `nt4-link`, `streams/front`, `extcam/front`. since_ms: when its present life began. */
export interface Part {
  readonly name: string
  readonly state: string
  readonly since_ms: number
  readonly restarts: number
  readonly fault: Fault | null
}

/** Facts about this run of the service. epoch: new at each start. */
export interface Identity {
  readonly version: string
  readonly epoch: string
  readonly started_at_ms: number
}

/** What the parts of the service know of one another. Reads read from here; writes ask the actor. */
export interface Directory {
  readonly identity: Identity
  readonly clock: Clock
  readonly settings: SettingsStore
  readonly errors: ErrorHistoryStore
  readonly events: EventBus
  /** All known field maps by id: the built-in one and those of the data directory. */
  readonly maps: () => ReadonlyMap<string, FieldMap>
  /** Where the files of streams may lie. */
  readonly media: MediaPort
  /** By id, in order of creation. */
  readonly streams: ReadonlyMap<string, StreamDesk>
  /** The link to the robot; the slot is empty while there is none. */
  readonly nt4: Latest<Nt4Session | undefined>
  /** The NT4 settings in force: stored ones over those of the start. */
  readonly nt4Settings: () => { readonly revision: number; readonly value: Nt4Settings }
  /** undefined while that actor is down (it is being restarted): the caller answers 503. */
  readonly actor: <Name extends ActorName>(name: Name) => ActorNamed<Name> | undefined
  readonly parts: () => readonly Part[]
}
