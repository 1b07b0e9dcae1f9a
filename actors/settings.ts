// The settings writer at work on a store of documents.
import * as Effect from 'effect/Effect'
import { resourceRef } from '../machines/event.ts'
import type { Commit, Settings, SettingsStore } from '../machines/settings.ts'
import { keyOf, type Ledger } from '../machines/settings-commit.ts'
import { type SettingsWriterEffects, settingsWriterMachine } from '../machines/settings-writer.ts'
import type { Documents, StoredDocuments } from '../native/documents/port.ts'
import type { EventBus } from './event-bus.ts'
import { fromEffect } from './run.ts'

/** What the writer works with: the open store it alone commits to, and where readers look. */
export interface SettingsParts {
  readonly documents: Documents
  readonly store: SettingsStore
  readonly events: EventBus
}

/** Takes `document.put`, `document.merge` and `document.delete`; publishes `<collection>.changed`, with `data.deleted` for a document that is gone. */
export const settingsActor = ({ documents, store, events }: SettingsParts) =>
  settingsWriterMachine.provide({
    actors: {
      loadLedger: fromEffect(() =>
        Effect.map(documents.load, (kept) => {
          store.trigger.loaded({ settings: settingsOf(kept) })
          return ledgerOf(kept)
        }),
      ),
      writeCommit: fromEffect((commit: Commit) => documents.commit(commit)),
    } satisfies Required<SettingsWriterEffects>,
    actions: {
      announce: (_, commit) => {
        store.trigger.committed(commit)
        events.publish({
          kind: `${commit.collection}.changed`,
          resource_ref: resourceRef(commit.collection, commit.id),
          revision: commit.revision,
          ...(commit.value === undefined ? { data: { deleted: true } } : {}),
        })
      },
    },
  })

const ledgerOf = ({ documents, collections }: StoredDocuments): Ledger => ({
  documents: Object.fromEntries(documents.map((each) => [keyOf(each), { revision: each.revision, value: each.value }])),
  collections,
})

const settingsOf = ({ documents, collections }: StoredDocuments): Settings => {
  const present = documents.filter(({ value }) => value !== undefined)
  const byCollection = Map.groupBy(present, ({ collection }) => collection)
  return {
    documents: Object.fromEntries(
      [...byCollection].map(([collection, members]) => [
        collection,
        Object.fromEntries(members.map(({ id, revision, value }) => [id, { revision, value }])),
      ]),
    ),
    revisions: collections,
  }
}
