// Several changes in one transaction, in a file, by a process that is killed in the middle.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { temporaryFolder } from '../../support/processes/daemon.ts'
import { killedAfter } from '../../support/processes/killed.ts'

const WRITER = join(import.meta.dirname, 'several-writer.ts')

test('whenever a writer is killed, its file has the documents of one transaction, and never of two', async (t) => {
  const dataDir = temporaryFolder()
  const found: number[] = []
  for (const lines of [1, 3, 7, 12, 25]) {
    const written = await killedAfter(lines, [WRITER, dataDir])
    const { documents } = await Effect.runPromise(
      Effect.scoped(Effect.flatMap(sqliteDocuments({ dataDir }).open, ({ load }) => load)),
    )
    const numbers = new Set(documents.map(({ value }) => (value as { readonly number: number }).number))
    assert.deepEqual([documents.length, numbers.size], [20, 1])
    const [number = 0] = numbers
    assert.ok(number >= Number(written.at(-1)), `${number} after ${written.at(-1)} was told to be stored`)
    found.push(number)
  }
  t.diagnostic(`found ${found.join(', ')}`)
})
