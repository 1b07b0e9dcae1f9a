// The directory of a running service: what it knows lives here, who is alive it asks the supervisor.
import type { Clock, Directory, Identity, Part } from '../actors/directory.ts'
import type { EventBus } from '../actors/events/event-bus.ts'
import { StreamDesk } from '../actors/stream/stream-desk.ts'
import type { ErrorHistoryStore } from '../machines/errors/history.ts'
import { Latest } from '../machines/latest.ts'
import { demoMap, type FieldMap } from '../machines/localization/field-map.ts'
import { NT4_DOCUMENT, type Nt4Settings, nt4Collection } from '../machines/nt4/settings.ts'
import { documentOf, documentsOf, type SettingsStore } from '../machines/settings/store.ts'
import { streamCollection } from '../machines/stream/collection.ts'
import type { ActorName, ActorNamed } from '../machines/supervision/actors.ts'
import type { MediaPort } from '../native/media/port.ts'
import type { Nt4Session } from '../native/nt4/port.ts'
import type { RecordBugs } from './supervision/bugs.ts'
import type { Supervisor } from './supervision/supervisor.ts'

/** What a directory is made of. nt4AtStart: what holds until a user stores something else. */
export interface DirectoryParts {
  readonly identity: Identity
  readonly clock: Clock
  readonly settings: SettingsStore
  readonly errors: ErrorHistoryStore
  readonly events: EventBus
  readonly userMaps: () => ReadonlyMap<string, FieldMap>
  readonly media: MediaPort
  readonly nt4AtStart: Nt4Settings
  readonly supervisor: Supervisor
  readonly onBug: RecordBugs
}

export class LiveDirectory implements Directory {
  readonly identity: Identity
  readonly clock: Clock
  readonly settings: SettingsStore
  readonly errors: ErrorHistoryStore
  readonly events: EventBus
  readonly nt4: Latest<Nt4Session | undefined>
  readonly media: MediaPort
  /** A desk for each stored stream, as soon as it is stored: whoever else hears of a change of the settings finds it. */
  readonly streams = new Map<string, StreamDesk>()
  readonly #parts: DirectoryParts

  constructor(parts: DirectoryParts) {
    this.identity = parts.identity
    this.clock = parts.clock
    this.settings = parts.settings
    this.errors = parts.errors
    this.events = parts.events
    this.nt4 = new Latest(parts.onBug('nt4-link'))
    this.media = parts.media
    this.#parts = parts
    parts.settings.subscribe(() => this.#keepDesks())
  }

  readonly maps = (): ReadonlyMap<string, FieldMap> => new Map([[demoMap.id, demoMap], ...this.#parts.userMaps()])

  readonly nt4Settings = (): { readonly revision: number; readonly value: Nt4Settings } => {
    const stored = documentOf(this.settings, nt4Collection, NT4_DOCUMENT)
    return { revision: stored?.revision ?? 0, value: { ...this.#parts.nt4AtStart, ...stored?.value } }
  }

  readonly actor = <Name extends ActorName>(name: Name): ActorNamed<Name> | undefined =>
    this.#parts.supervisor.actor(name) as ActorNamed<Name> | undefined

  readonly parts = (): readonly Part[] =>
    this.#parts.supervisor.children().map(({ id, state, since_ms, restarts, fault }) => {
      const snapshot = this.#parts.supervisor.actor(id)?.getSnapshot() as Seen | undefined
      return {
        name: id,
        state: state === 'running' && snapshot ? nameOfState(snapshot.value) : state,
        since_ms,
        restarts,
        fault: snapshot ? (snapshot.context.fault ?? null) : fault, // that of the latest crash is over when it runs again
      }
    })

  #keepDesks(): void {
    const stored = documentsOf(this.settings, streamCollection)
    for (const id of this.streams.keys()) if (!Object.hasOwn(stored, id)) this.streams.delete(id)
    for (const id of Object.keys(stored))
      if (!this.streams.has(id))
        this.streams.set(id, new StreamDesk(id, this.clock.nowMs(), this.#parts.onBug(`streams/${id}`)))
  }
}

interface Seen {
  readonly value: unknown
  readonly context: { readonly fault?: Part['fault'] }
}

/** `live`, or `session.connected` for a state within a state. */
const nameOfState = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([outer, inner]) => `${outer}.${nameOfState(inner)}`)
        .join(' ')
