// Documents that are deleted leave nothing behind but the number from which revisions go on.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { isFault } from '../../../machines/errors/fault.ts'
import { decide, isUnchanged } from '../../../machines/settings/commit.ts'
import { sift } from '../../../machines/settings/load.ts'
import { type Commit, noSettings, type Settings, withCommit } from '../../../machines/settings/store.ts'
import { MIGRATIONS } from '../../../native/documents/migrations.ts'
import { documentTable } from '../../../native/documents/sqlite-documents.ts'
import { openFile } from '../../../native/documents/sqlite-file.ts'
import { textCommit } from '../../../native/documents/text-commit.ts'
import { anyDocuments } from '../../support/api/any-documents.ts'
import { databaseIn, dataFolder, using } from '../../support/processes/documents.ts'

/** Carries orders out as the writer does, without waiting for the disk: forty thousand syncs take minutes. */
const unsynced = (dataDir: string) => {
  const { db } = openFile(databaseIn(dataDir), 64_000_000)
  db.exec('PRAGMA synchronous = OFF')
  const table = documentTable(db, () => {})
  let settings: Settings = noSettings
  let count = 0 // another value each time: one that is the same changes nothing
  const order = (type: 'document.put' | 'document.delete', id: string): Commit => {
    const decided = decide(anyDocuments, settings, { type, ask: 0, collection: 'streams', id, value: { n: count++ } })
    if (isFault(decided) || isUnchanged(decided)) throw new Error(JSON.stringify(decided))
    table.commit(textCommit(decided))
    settings = withCommit(settings, decided)
    return decided
  }
  return { db, table, order, settings: () => settings }
}

/** How many keys and elements there are in a value, at any depth. */
const sizeOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + 1 + sizeOf(each), 0)
    : 0

test('twenty thousand deletions leave no row and no key', (t) => {
  const { db, order, settings } = unsynced(dataFolder(t))
  const rows = () =>
    ['documents', 'collections', 'set_aside'].map((table) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
  order('document.put', 'stays')
  order('document.put', 'goes')
  order('document.delete', 'goes')
  const before = [sizeOf(settings()), ...rows()]

  for (let n = 0; n < 20_000; n += 1) {
    order('document.put', `s${n}`)
    order('document.delete', `s${n}`)
  }

  assert.deepEqual([sizeOf(settings()), ...rows()], before)
  assert.deepEqual(rows(), [1, 1, 0])
  db.close()
})

test('an id that is used again never has a revision twice, whatever came between, also after a restart', (t) => {
  const dataDir = dataFolder(t)
  const used = new Map<string, number>()
  const writer = unsynced(dataDir)
  const ids = ['a', 'b', 'c']

  for (let n = 0; n < 600; n += 1) {
    if (n % 100 === 99) {
      const before = writer.settings()
      const { settings } = sift(anyDocuments, writer.table.load())
      assert.deepEqual(settings, before)
    }
    const id = ids[(n * 7) % 3] as string
    const isThere = Object.hasOwn(writer.settings().documents.streams ?? {}, id)
    const { revision } = writer.order(isThere && n % 5 > 1 ? 'document.delete' : 'document.put', id)
    assert.ok(revision > (used.get(id) ?? 0), `${id} had revision ${used.get(id)} and now has ${revision}`)
    used.set(id, revision)
  }
  writer.db.close()
})

test('what an earlier version kept of deleted documents becomes one number for each collection', async (t) => {
  const dataDir = dataFolder(t)
  const db = new DatabaseSync(databaseIn(dataDir))
  db.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1;
    INSERT INTO documents (collection, id, revision, value) VALUES
      ('streams', 'gone', 9, NULL), ('streams', 'front', 2, '{}'), ('streams', 'lost', 4, NULL),
      ('nt4', 'nt4', 3, '{}');
    INSERT INTO collections VALUES ('streams', 15), ('nt4', 3)`)
  db.close()

  const { kept, faults } = await using(dataDir, ({ load, openingFaults }) =>
    Effect.map(load, (kept) => ({ kept, faults: openingFaults })),
  )

  assert.deepEqual(faults, [])
  assert.deepEqual(
    kept.documents.map(({ id, revision }) => [id, revision]),
    [
      ['front', 2],
      ['nt4', 3],
    ],
  )
  assert.deepEqual(kept.collections, { streams: { revision: 15, base: 9 }, nt4: { revision: 3, base: 0 } })
})
