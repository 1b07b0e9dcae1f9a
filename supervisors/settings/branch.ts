// The one store of documents, and its two writers: the settings and the error history.
import * as Effect from 'effect/Effect'
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { errorKeeperActor, type RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { REQUESTS, RequestKeeper } from '../../actors/requests/request-keeper.ts'
import { settingsActor } from '../../actors/settings/settings-writer-actor.ts'
import type { errorKeeperMachine } from '../../machines/errors/error-keeper-machine.ts'
import { errorRecorded, errorsCleared } from '../../machines/errors/events.ts'
import { Latest } from '../../machines/latest.ts'
import { COLLECTIONS, type Collections } from '../../machines/settings/collection.ts'
import type { settingsWriterMachine } from '../../machines/settings/settings-writer-machine.ts'
import { DOCUMENTS, type Documents, OPEN_DOCUMENTS } from '../../native/documents/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import type { Incarnation } from '../supervision/incarnation.ts'
import { startAndWait } from '../supervision/start-and-wait.ts'
import { settingsPorts } from './ports.ts'

/** Names of the children. */
const SETTINGS = 'settings'
const ERRORS = 'errors'

/** And at each start. */
const COPY_EVERY = '1 day'

/** Without the settings there is nothing to run for; the error history may come later. */
export const settingsBranch = branch({
  events: [errorRecorded, errorsCleared],
  ports: settingsPorts,
  offers: [
    offer(
      REQUESTS,
      { record: RECORD, documents: OPEN_DOCUMENTS },
      ({ record, documents }) => new RequestKeeper(record, documents),
    ),
    offer(OPEN_DOCUMENTS, { onBug: ON_BUG }, ({ onBug }) => new Latest(onBug('documents'))),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    collections: COLLECTIONS,
    port: DOCUMENTS,
    open: OPEN_DOCUMENTS,
    record: RECORD,
  },
  start: ({ directory, collections, port, open, record, ...supervised }) =>
    Effect.gen(function* () {
      const documents = yield* port.open
      for (const fault of documents.openingFaults) record(fault)
      open.set(documents)
      const settings = settingsChild(directory, collections, recording(documents, record), record)
      yield* startAndWait(supervised, settings, (snapshot) => snapshot.matches('ready'))
      const copied = Effect.catch(documents.keepCopy, (fault) => Effect.sync(() => record(fault)))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(copied, Effect.sleep(COPY_EVERY))))
      const errors = errorsChild(directory, documents)
      yield* Effect.ignore(startAndWait(supervised, errors, (snapshot) => !snapshot.matches('loading')))
    }),
})

/** What cannot be stored is told to the one who asked, and entered in the error history as well. */
const recording = (documents: Documents, record: RecordFault): Documents => ({
  ...documents,
  commit: (each) => Effect.tapError(documents.commit(each), (fault) => Effect.sync(() => record(fault))),
})

const settingsChild = (
  { settings: store, events }: Directory,
  collections: Collections,
  documents: Documents,
  record: RecordFault,
) => ({
  id: SETTINGS,
  isEssential: true,
  incarnate: Effect.sync(
    (): Incarnation<typeof settingsWriterMachine> => ({
      logic: settingsActor({ documents, store, events, record }),
      options: { input: { collections } },
    }),
  ),
})

const errorsChild = ({ errors: store, events }: Directory, documents: Documents) => ({
  id: ERRORS,
  incarnate: Effect.sync((): { logic: typeof errorKeeperMachine } => ({
    logic: errorKeeperActor({ documents, store, events }),
  })),
})
