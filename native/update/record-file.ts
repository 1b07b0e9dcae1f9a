// The record of an update in a small file of the system folder, which all versions of the service share.
import { readFile } from 'node:fs/promises'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { firstError, schemaErrors } from '../../machines/schema/errors.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { lenient } from '../../machines/schema/lenient.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { UpdateRecord } from '../../machines/update/record.ts'
import { isFullDisk, writeFileWholeSoon } from '../files/atomic.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import type { UpdateRecords } from './port.ts'

/** Another version of the service may have written it, with fields that this one does not know. */
const LENIENT = lenient(UpdateRecord)

/** The file. record: told when it cannot be read, which loses what was under way and no version. */
export const recordFile = (path: string, record: (fault: Fault) => void): UpdateRecords => {
  const turns = new SerialQueue()
  return {
    load: Effect.promise(() => turns.inTurn(() => recordAt(path, record))),
    save: (document) =>
      Effect.uninterruptible(
        Effect.tryPromise({
          try: () => turns.inTurn(() => writeFileWholeSoon(path, `${JSON.stringify(document)}\n`)),
          catch: (error): Fault => ({
            code: isFullDisk(error) ? 'storage.full' : 'storage.failed',
            detail: `where the update stands cannot be written to ${path}: ${(error as Error).message}`,
          }),
        }),
      ),
  }
}

const recordAt = async (path: string, record: (fault: Fault) => void): Promise<UpdateRecord | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string') {
    if (text.code !== 'ENOENT') record(unreadable(path, text.message))
    return null
  }
  const found = jsonIn(text)
  const errors = schemaErrors(LENIENT, found)
  if (errors.length === 0) return found as UpdateRecord
  record(unreadable(path, firstError(errors, 'it')))
  return null
}

const unreadable = (path: string, why: string): Fault => ({
  code: 'update.interrupted',
  detail: oneLine`
    what was kept of the last update in ${path} cannot be read (${why}); which version runs does not depend on it, and
    what was under way has to be ordered again
  `,
})
