// The documents a user has set, with their revisions, as everybody reads them. The one writer is actors/settings.ts.
import { createStore } from '@xstate/store'

/** A document and the number of times it has been changed. */
export interface Kept {
  readonly revision: number
  readonly value: unknown
}

/** collection -> id -> document. A single document is a collection with one id. revisions: of each collection as a list. */
export interface Settings {
  readonly documents: Readonly<Record<string, Readonly<Record<string, Kept>>>>
  readonly revisions: Readonly<Record<string, number>>
}

export const createSettingsStore = (initial: Settings = { documents: {}, revisions: {} }) =>
  createStore({
    context: initial,
    on: {
      /** value undefined = deleted. */
      committed: (context, event: { collection: string; id: string; revision: number; collectionRevision: number; value: unknown }) => {
        const { [event.id]: _old, ...others } = context.documents[event.collection] ?? {}
        const documents = event.value === undefined ? others : { ...others, [event.id]: { revision: event.revision, value: event.value } }
        return {
          documents: { ...context.documents, [event.collection]: documents },
          revisions: { ...context.revisions, [event.collection]: event.collectionRevision },
        }
      },
    },
  })
export type SettingsStore = ReturnType<typeof createSettingsStore>

/** Reads one document; undefined when there is none. The caller knows the type by the collection. */
export const documentOf = <Value>(store: SettingsStore, collection: string, id: string): { revision: number; value: Value } | undefined =>
  store.getSnapshot().context.documents[collection]?.[id] as { revision: number; value: Value } | undefined

/** All documents of a collection, by id. */
export const documentsOf = <Value>(store: SettingsStore, collection: string): Readonly<Record<string, { revision: number; value: Value }>> =>
  (store.getSnapshot().context.documents[collection] ?? {}) as Record<string, { revision: number; value: Value }>
