// The last change of the network in a small file of the data folder.
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { ChangeRecord } from '../../machines/network/record.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { lenient } from '../../machines/schema/lenient.ts'
import { isFullDisk, writeFileWholeSoon } from '../files/atomic.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import type { NetworkRecords } from './port.ts'

/** A later version of the service may have written it, with fields that this one does not know. */
const LENIENT = lenient(ChangeRecord)

/** The file. One that cannot be read is as none: NetworkManager undoes what was under way by itself. */
export const networkRecordFile = (path: string): NetworkRecords => {
  const turns = new SerialQueue()
  return {
    load: Effect.promise(() => turns.inTurn(() => recordAt(path))),
    save: (record) =>
      Effect.uninterruptible(
        Effect.tryPromise({
          try: () =>
            turns.inTurn(async () => {
              await mkdir(dirname(path), { recursive: true })
              await writeFileWholeSoon(path, `${JSON.stringify(record)}\n`)
            }),
          catch: (error): Fault => ({
            code: isFullDisk(error) ? 'storage.full' : 'storage.failed',
            detail: `a change of the network cannot be written to ${path}: ${(error as Error).message}`,
          }),
        }),
      ),
  }
}

const recordAt = async (path: string): Promise<ChangeRecord | null> => {
  const text = await readFile(path, 'utf8').catch(() => null)
  const found = text === null ? null : jsonIn(text)
  return schemaErrors(LENIENT, found).length === 0 ? (found as ChangeRecord) : null
}
