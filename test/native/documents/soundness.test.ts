// Files that SQLite opens and this program did not leave so: mended, or set aside; and a great many broken at random.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { isFault } from '../../../machines/errors/fault.ts'
import type { ErrorEntry } from '../../../machines/errors/history.ts'
import { MIGRATIONS } from '../../../native/documents/migrations.ts'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { commit, databaseIn, dataFolder, tamper, using } from '../../support/processes/documents.ts'

const ours = MIGRATIONS.join(';')
const present = `; PRAGMA user_version = ${MIGRATIONS.length}`
const others: readonly (readonly [string, string])[] = [
  ['tables of another program', 'CREATE TABLE documents (shape TEXT)'],
  ['columns of other types', ours.replaceAll('revision INTEGER', 'revision TEXT') + present],
  ['a table missing', `${ours}; DROP TABLE errors${present}`],
  ['a column missing', `${ours}; ALTER TABLE set_aside DROP COLUMN reason${present}`],
  ['nothing that makes a name unique', ours.replace(/,\s*UNIQUE \(collection, id\)/, '') + present],
  ['a view for a table', `${ours}; DROP TABLE documents; CREATE VIEW documents AS SELECT 1 AS position${present}`],
  [
    'a table that takes nothing',
    ours.replace('count INTEGER NOT NULL', 'count INTEGER NOT NULL CHECK (count < 0)') + present,
  ],
  [
    'a table beside it that takes nothing',
    `${ours.replace('reason TEXT NOT NULL', "reason TEXT NOT NULL CHECK (reason > 'x')")}${present}`,
  ],
  ['a version below zero', 'PRAGMA user_version = -7; CREATE TABLE documents (shape TEXT)'],
  ['a version that no program will ever have', 'PRAGMA user_version = 572662306'],
]
for (const [what, sql] of others) {
  test(`a database with ${what} is set aside, and a fresh store begins`, async (t) => {
    const dataDir = dataFolder(t)
    const db = new DatabaseSync(databaseIn(dataDir))
    db.exec(sql)
    db.close()

    const faults = await using(dataDir, ({ openingFaults, commit: write }) =>
      Effect.as(write(commit(1)), openingFaults),
    )

    assert.deepEqual(
      faults.map(({ code }) => code),
      ['storage.corrupt'],
    )
    assert.equal((await using(dataDir, ({ load }) => load)).documents[0]?.revision, 1)
  })
}

test('a database that breaks at every start does not fill the disk', async (t) => {
  const dataDir = dataFolder(t)
  for (let start = 1; start <= 12; start += 1) {
    writeFileSync(databaseIn(dataDir), `this is no database, start ${start}`)
    await using(dataDir, ({ load }) => load)
  }

  const aside = readdirSync(dataDir).filter((name) => name.includes('.corrupt-'))

  assert.equal(aside.length, 9)
  assert.match(readFileSync(join(dataDir, 'vedette.db.corrupt-1'), 'utf8'), /start 1$/)
  assert.match(readFileSync(join(dataDir, 'vedette.db.corrupt-9'), 'utf8'), /start 12$/)
})

for (const part of ['', '-wal', '-journal']) {
  test(`a folder under the name vedette.db${part} is set aside`, async (t) => {
    const dataDir = dataFolder(t)
    mkdirSync(databaseIn(dataDir) + part)

    const faults = await using(dataDir, ({ openingFaults, commit: write }) =>
      Effect.as(write(commit(1)), openingFaults),
    )

    assert.match(faults[0]?.detail ?? '', /is not a file\).*set aside as/)
    assert.ok(statSync(`${databaseIn(dataDir)}.corrupt-1${part}`).isDirectory())
  })
}

test('a header that makes SQLite take the file for read-only is damage', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ commit: write }) => write(commit(1)))
  const bytes = readFileSync(databaseIn(dataDir))
  bytes[18] = 3 // https://www.sqlite.org/fileformat.html: the file format write version
  writeFileSync(databaseIn(dataDir), bytes)

  const faults = await using(dataDir, ({ openingFaults, commit: write }) => Effect.as(write(commit(1)), openingFaults))

  assert.deepEqual(
    faults.map(({ code }) => code),
    ['storage.corrupt'],
  )
})

test('a link that leads nowhere is a fault, not a loop', async (t) => {
  const dataDir = dataFolder(t)
  symlinkSync('vedette.db', databaseIn(dataDir))

  const exit = await Effect.runPromiseExit(Effect.scoped(sqliteDocuments({ dataDir }).open))

  assert.ok(Exit.isFailure(exit))
})

test('an index that lost a row is made anew, and no document is lost', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ commit: write }) => write(commit(1)))
  const schema = (sql: string, ...values: string[]) =>
    tamper(dataDir, (db) => {
      db.enableDefensive(false)
      db.exec('PRAGMA writable_schema = ON')
      db.prepare(sql).run(...values)
    })
  const [table, index] = tamper(dataDir, (db) =>
    ['documents', 'sqlite_autoindex_documents_1'].map((name) =>
      db.prepare('SELECT sql, rootpage FROM sqlite_schema WHERE name = ?').get(name),
    ),
  )
  // While the table knows nothing of its index, a row goes past it.
  schema(`DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_documents_1'`)
  const loose = String(table?.sql).replace(/,\s*UNIQUE \(collection, id\)/, '')
  schema(`UPDATE sqlite_schema SET sql = ? WHERE name = 'documents'`, loose)
  tamper(dataDir, (db) =>
    db.exec(`INSERT INTO documents (collection, id, revision, value) VALUES ('streams', 'back', 1, '{}')`),
  )
  schema(`UPDATE sqlite_schema SET sql = ? WHERE name = 'documents'`, String(table?.sql))
  schema(
    `INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_documents_1', 'documents', CAST(? AS INTEGER), NULL)`,
    String(index?.rootpage),
  )

  const faults = await using(dataDir, ({ openingFaults, commit: write }) =>
    Effect.as(write(commit(2, { id: 'back', revision: 2 })), openingFaults),
  )

  assert.deepEqual(faults, [])
  assert.deepEqual(
    (await using(dataDir, ({ load }) => load)).documents.map(({ id, revision }) => [id, revision]),
    [
      ['front', 1],
      ['back', 2],
    ],
  )
})

/** Numbers from 0 to 1 that are the same in each run. */
const randomFrom = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
  return seed / 2 ** 32
}

const entry: ErrorEntry = { code: 'a.b', resource: '', detail: 'c', count: 1, first_at_ms: 1, last_at_ms: 1 }

test('a file broken anywhere opens, is set aside or is refused, and later writes are kept', async (t) => {
  const dataDir = dataFolder(t)
  const file = databaseIn(dataDir)
  await using(dataDir, ({ commit: write, saveErrors }) =>
    Effect.forEach(
      Array.from({ length: 12 }, (_, n) => commit(n + 1, { id: `s${n}`, value: 'x'.repeat(n * 600) })),
      write,
    ).pipe(Effect.andThen(saveErrors({ revision: 1, entries: [entry] }))),
  )
  const whole = readFileSync(file)
  const random = randomFrom(7)
  const upTo = (limit: number) => Math.floor(random() * limit)

  for (let n = 0; n < 170; n += 1) {
    const bytes = Buffer.from(whole)
    for (let flips = upTo(3); flips >= 0; flips -= 1) {
      const at = n % 2 === 0 ? upTo(bytes.length) : upTo(200) // the header and the schema are the tender parts
      bytes.fill(upTo(256), at, Math.min(bytes.length, at + 1 + upTo(n % 3 === 0 ? 500 : 2)))
    }
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(file + part, { force: true })
    writeFileSync(file, n % 10 === 0 ? bytes.subarray(0, upTo(bytes.length)) : bytes)

    const exit = await Effect.runPromiseExit(
      Effect.scoped(
        Effect.gen(function* () {
          const store = yield* sqliteDocuments({ dataDir }).open
          yield* store.load
          yield* store.loadErrors
          yield* store.saveErrors({ revision: 1, entries: [entry] })
          yield* store.commit(commit(100 + n, { id: 'new' }))
        }),
      ),
    )
    if (Exit.isFailure(exit)) {
      const [reason] = exit.cause.reasons
      assert.ok(reason?._tag === 'Fail' && isFault(reason.error), `run ${n}: ${String(exit.cause)}`)
      // it may look like one
      assert.equal(reason.error.code, 'storage.newer_schema', `run ${n}: ${reason.error.detail}`)
      continue
    }
    const kept = await using(dataDir, ({ load }) => load)
    assert.equal(kept.documents.find(({ id }) => id === 'new')?.revision, 100 + n)
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(`${file}.corrupt-1${part}`, { force: true })
  }
})

test('a log cut short anywhere gives the documents as they were after some write', async (t) => {
  const dataDir = dataFolder(t)
  const file = databaseIn(dataDir)
  const kept = dataFolder(t)
  await using(dataDir, ({ commit: write }) =>
    Effect.gen(function* () {
      for (let n = 1; n <= 5; n += 1) yield* write(commit(n))
      yield* Effect.sync(() => {
        // as a power cut leaves them
        for (const part of ['', '-wal']) copyFileSync(file + part, databaseIn(kept) + part)
      })
    }),
  )
  const { size } = statSync(`${databaseIn(kept)}-wal`)
  const random = randomFrom(3)

  for (let n = 0; n < 25; n += 1) {
    rmSync(`${file}-shm`, { force: true })
    for (const part of ['', '-wal']) copyFileSync(databaseIn(kept) + part, file + part)
    truncateSync(`${file}-wal`, Math.floor(random() * size))

    const { documents, collections, faults } = await using(dataDir, ({ load, openingFaults }) =>
      Effect.map(load, (loaded) => ({ ...loaded, faults: openingFaults })),
    )

    assert.deepEqual(faults, [])
    assert.equal(documents[0]?.revision, collections.streams?.revision)
  }
})
