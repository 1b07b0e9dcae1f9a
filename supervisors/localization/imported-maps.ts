// Makes files of the maps that came with a profile. They are stored with all else that came with it, so nothing of them
// is lost when the service ends before: the next start goes on.
import * as Effect from 'effect/Effect'
import type { Directory } from '../../actors/directory.ts'
import { settingsWriter } from '../../actors/settings/write-settings.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { importedMapCollection } from '../../machines/localization/maps/imported.ts'
import { deleteOrder } from '../../machines/settings/commit.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import type { FieldMapsPort } from '../../native/localization/port.ts'

/** What it works with. */
export interface ImportedMapParts {
  readonly directory: Pick<Directory, 'actor' | 'settings'>
  readonly files: Pick<FieldMapsPort, 'write'>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

/** Those that cannot be written now stay, are used all the same, and are tried again at the next call. */
export const keepImportedMaps = ({ directory, files, record }: ImportedMapParts): Effect.Effect<void> =>
  Effect.suspend(() => {
    const write = settingsWriter(directory)
    return Effect.forEach(
      Object.entries(documentsOf(directory.settings, importedMapCollection)),
      ([id, { revision, value }]) =>
        Effect.catch(
          Effect.andThen(
            Effect.tryPromise({ try: () => files.write(value), catch: (error) => unwritten(id, error) }),
            write(deleteOrder(importedMapCollection, id, { expected_revisions: [revision] })),
          ),
          (fault: Fault) => Effect.sync(() => record(fault)),
        ),
      { discard: true },
    )
  })

const unwritten = (id: string, error: unknown): Fault => ({
  code: 'storage.failed',
  resource: `maps/${id}.json`,
  detail: `The map ${id}, which came with a profile, could not be written; it is used all the same: ${error}`,
})
