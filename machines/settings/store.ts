// The documents a user has set, with their revisions, as everybody reads them. The one writer is
// actors/settings/settings-writer-actor.ts.
import { createStore } from '@xstate/store'
import { isolateSubscribers, type OnBug } from '../listeners.ts'
import type { RequestMark } from '../requests/request.ts'
import type { Collection } from './collection.ts'

/** What is stored under an id, and its revision, which rises with each change. */
export interface StoredValue<Value = unknown> {
  readonly revision: number
  readonly value: Value
}

/** collection -> id -> document, in order of creation. A single document is a collection with one id. */
export interface Settings {
  readonly documents: Readonly<Record<string, Readonly<Record<string, StoredValue>>>>
  /** Of each collection as a list. */
  readonly revisions: Readonly<Record<string, number>>
  /**
   * Of each collection, the highest revision of any document that is no longer there; a new one begins above it, so
   * that an id that is used again never has a revision twice, and nothing need be kept for each id that ever was.
   */
  readonly bases: Readonly<Record<string, number>>
}

/** One change of one document, and the numbers after it. value undefined = deleted. */
export interface Commit {
  readonly collection: string
  readonly collectionRevision: number
  readonly collectionBase: number
  readonly id: string
  readonly revision: number
  readonly value: unknown
  /** Of the request that ordered it, to be kept in the same transaction. */
  readonly request?: RequestMark
  /** What else is changed in the same transaction, after it. */
  readonly others?: readonly Commit[]
}

/** The changes of a transaction, each by itself. */
export const changesIn = ({ others = [], ...first }: Commit): readonly Commit[] => [first, ...others]

/** The settings of a device that nobody has touched. */
export const noSettings: Settings = { documents: {}, revisions: {}, bases: {} }

/** onBug: told of what a subscriber threw. */
export const createSettingsStore = (initial: Settings = noSettings, onBug?: OnBug) =>
  isolateSubscribers(
    createStore({
      context: initial,
      on: {
        loaded: (_context, event: { settings: Settings }) => event.settings,
        committed: (context, commit: Commit) => withCommit(context, commit),
      },
    }),
    onBug,
  )
export type SettingsStore = ReturnType<typeof createSettingsStore>

/**
 * The settings after a change, at the cost of the documents in its collection. A document that changes keeps its place
 * among the others.
 */
export const withCommit = (settings: Settings, commit: Commit): Settings =>
  changesIn(commit).reduce(withChange, settings)

const withChange = (
  settings: Settings,
  { collection, collectionRevision, collectionBase, id, revision, value }: Commit,
): Settings => {
  const before = settings.documents[collection] ?? {}
  const { [id]: _deleted, ...others } = before
  const documents = value === undefined ? others : { ...before, [id]: { revision, value } }
  return {
    documents: { ...settings.documents, [collection]: documents },
    revisions: { ...settings.revisions, [collection]: collectionRevision },
    bases: { ...settings.bases, [collection]: collectionBase },
  }
}

/** Reads one document; undefined when there is none. */
export const documentOf = <Value>(
  store: SettingsStore,
  collection: Collection<Value>,
  id: string,
): StoredValue<Value> | undefined => storedIn(store.getSnapshot().context, collection, id)

/**
 * One document of the settings, or the blank one of a collection that has it: its revision is the one that a new
 * document would rise from.
 */
export const storedIn = <Value>(
  settings: Settings,
  collection: Collection<Value>,
  id: string,
): StoredValue<Value> | undefined => {
  const { name, blank } = collection
  const documents = settings.documents[name] ?? {}
  // `constructor` is a valid id. What is in the store has passed the schema of its collection.
  if (Object.hasOwn(documents, id)) return documents[id] as StoredValue<Value>
  return blank === undefined ? undefined : { revision: settings.bases[name] ?? 0, value: blank as Value }
}

const NONE = {}

/** All documents of a collection, by id, in order of creation. */
export const documentsOf = <Value>(
  store: SettingsStore,
  { name }: Collection<Value>,
): Readonly<Record<string, StoredValue<Value>>> => {
  const { documents } = store.getSnapshot().context
  // What is in the store has passed the schema of its collection.
  return (Object.hasOwn(documents, name) ? documents[name] : NONE) as Readonly<Record<string, StoredValue<Value>>>
}

/** The revision of a collection as a list: it rises whenever one of its documents is created, changed or deleted. */
export const listRevisionOf = (store: SettingsStore, { name }: Collection): number =>
  store.getSnapshot().context.revisions[name] ?? 0

/** Collections that are one thing to clients. name: what people are told it is. */
export interface Whole {
  readonly name: string
  readonly collections: readonly Pick<Collection, 'name'>[]
}

/** It rises with every change of anything in it, since those of its collections as lists do. */
export const revisionOfWhole = ({ revisions }: Settings, { collections }: Whole): number =>
  collections.reduce((sum, { name }) => sum + (revisions[name] ?? 0), 0)
