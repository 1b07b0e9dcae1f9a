// The settings writer on a store of documents.
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type { Fault } from '../../machines/errors/fault.ts'
import { type EventKind, type FactOf, referenceTo } from '../../machines/events/kind.ts'
import type { Collection, Collections } from '../../machines/settings/collection.ts'
import { sift } from '../../machines/settings/load.ts'
import {
  type SettingsWriterActions,
  type SettingsWriterEffects,
  type StoreChecked,
  settingsWriterMachine,
} from '../../machines/settings/settings-writer-machine.ts'
import { type Commit, changesIn, documentOf, type SettingsStore } from '../../machines/settings/store.ts'
import type { Documents } from '../../native/documents/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import { fromEffect, fromScoped } from '../run.ts'
import { StoreWatch } from './store-watch.ts'

/**
 * What the writer works with: the open store it alone commits to, and where readers look. record: enters a fault in the
 * error history.
 */
export interface SettingsParts {
  readonly documents: Documents
  readonly store: SettingsStore
  readonly events: EventBus
  readonly record: (fault: Fault) => void
}

/**
 * Takes `document.put`, `document.merge`, `document.change`, `document.delete`, and several of them at once; publishes
 * the `changed` event of each document's collection.
 */
export const settingsActor = ({ documents, store, events, record }: SettingsParts) => {
  const watch = new StoreWatch({ check: documents.check, standing: documents.openingFaults[0] ?? null, record })
  return settingsWriterMachine.provide({
    actors: {
      loadSettings: fromEffect((collections: Collections) =>
        Effect.gen(function* () {
          const { settings, aside, faults } = sift(collections, yield* documents.load)
          for (const fault of faults) record(fault)
          // Without room they stay where they are, unused, and are set aside at a later start.
          if (aside) yield* Effect.catch(documents.setAside(aside), (fault) => Effect.sync(() => record(fault)))
          store.trigger.loaded({ settings })
          return settings
        }),
      ),
      writeCommit: fromEffect((commit: Commit) =>
        Effect.onExit(documents.commit(commit), (exit) => Effect.sync(() => watch.noteWrite(Exit.isSuccess(exit)))),
      ),
      watchStore: fromScoped<never, void, StoreChecked>((_, { send }) =>
        watch.follow((fault) => send({ type: 'store.checked', fault })),
      ),
    } satisfies Required<SettingsWriterEffects>,
    actions: {
      announce: ({ context }, commit) => {
        const changes = changesIn(commit).map((change) => {
          const declared = context.collections.get(change.collection) as Collection // or there would be no commit
          return { declared, ...change, before: documentOf(store, declared, change.id)?.value }
        })
        store.trigger.committed(commit)
        for (const { declared, id, revision, before, value: after } of changes) {
          const { changed } = declared
          const data = { deleted: after === undefined }
          events.publish(changed, { resource_ref: referenceTo(changed, id), revision, data })
          for (const { kind, fact } of declared.tells({ id, revision, before, after } as never))
            events.publish(kind, fact as FactOf<EventKind>)
        }
      },
    } satisfies Required<SettingsWriterActions>,
  })
}
