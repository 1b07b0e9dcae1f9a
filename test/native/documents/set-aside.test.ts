// Rows that are no documents, and documents that are set aside, in a real file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { SettingAside } from '../../../machines/settings/load.ts'
import { commit, dataFolder, faultOf, tamper, tamperLoosely, using } from '../../support/processes/documents.ts'

const numbers = { streams: { revision: 9, base: 8 } }

const rowsAside = (dataDir: string) =>
  tamper(dataDir, (db) =>
    db.prepare('SELECT id, CAST(revision AS TEXT) AS revision, value FROM set_aside ORDER BY position').all(),
  ).map((row) => ({ ...row }))

/** A store with the documents a and b. */
const twoDocuments = (dataDir: string) =>
  using(dataDir, ({ commit: write }) =>
    Effect.andThen(write(commit(1, { id: 'a', revision: 1 })), write(commit(2, { id: 'b', revision: 1 }))),
  )

/** Sets everything aside that was loaded, but for one document. */
const allBut = (id: string, rows: readonly { place: bigint; collection: string; id: string }[]): SettingAside => ({
  rows: rows.filter((row) => row.id !== id).map((row) => ({ ...row, reason: 'does not fit' })),
  back: [],
  collections: numbers,
})

test('rows that hold anything at all do not hinder the others, and are set aside as they were', async (t) => {
  const dataDir = dataFolder(t)
  await twoDocuments(dataDir)
  tamperLoosely(
    dataDir,
    `UPDATE documents SET revision = 'seven' WHERE id = 'a';
     INSERT INTO documents (collection, id, revision, value) VALUES
       ('streams', 'broken', 1, '{'), ('streams', 'blob', 2, x'00ff'), ('streams', 'none', NULL, NULL),
       (NULL, NULL, NULL, NULL), (x'ff', 3.5, 4, '{}'), ('streams', 'huge', 9223372036854775807, '{}'),
       ('streams', 'half', 1.5, '{}'), ('streams', 'text' || char(0) || 'more', 1, '{}');
     INSERT INTO collections VALUES (x'00', 'many', -1), ('hats', 'many', -1)`,
  )

  const { documents, unreadable, faults } = await using(dataDir, ({ load, setAside, openingFaults }) =>
    Effect.map(load, (kept) => ({ ...kept, faults: openingFaults })).pipe(
      Effect.tap((kept) => setAside(allBut('b', [...kept.documents, ...kept.unreadable]))),
    ),
  )

  assert.deepEqual(faults, [])
  assert.deepEqual(
    documents.map(({ id, revision }) => [id, revision]),
    [
      ['a', Number.NaN],
      ['b', 1],
      ['huge', 2 ** 63],
      ['half', Number.NaN],
      ['text\0more', 1],
    ],
  )
  assert.deepEqual(
    unreadable.map(({ collection, id, reason }) => [collection, id, reason]),
    [
      ['streams', 'broken', 'is not well-formed JSON'],
      ['streams', 'blob', 'has no text'],
      ['streams', 'none', 'has no text'],
      ['', '', 'has no name'],
      ['', '', 'has no name'],
    ],
  )
  const aside = rowsAside(dataDir)
  assert.equal(aside.length, 9)
  assert.equal(aside.find(({ id }) => id === 'a')?.revision, 'seven')
  assert.deepEqual(aside.find(({ id }) => id === 'blob')?.value, new Uint8Array([0, 255]))
  const { aside: _tried, ...rest } = await using(dataDir, ({ load }) => load)
  assert.deepEqual(rest, {
    documents: [{ place: 2n, collection: 'streams', id: 'b', revision: 1, value: { n: 2 } }],
    unreadable: [],
    collections: { streams: { revision: 9, base: 8 }, hats: { revision: Number.NaN, base: -1 } },
  })
})

test('what could not be set aside for want of room is set aside with the write that takes its place', async (t) => {
  const dataDir = dataFolder(t)
  await twoDocuments(dataDir)
  const big = 'x'.repeat(150_000)
  await using(dataDir, ({ commit: write }) =>
    Effect.andThen(
      write(commit(3, { id: 'a', value: big })),
      write(commit(4, { id: 'ballast', revision: 1, value: big })),
    ),
  )

  const faults = await using(
    dataDir,
    ({ load, setAside, commit: write }) =>
      Effect.gen(function* () {
        const { documents } = yield* load
        const bad = documents.filter(({ id }) => id === 'a')
        const atStart = yield* faultOf(setAside(allBut('', bad)))
        const tooEarly = yield* faultOf(write(commit(5, { id: 'a', revision: 9, value: 'new' })))
        yield* write(commit(5, { id: 'b', revision: 2, value: 'is not held up' }))
        yield* write(commit(6, { id: 'ballast', value: undefined }))
        yield* write(commit(7, { id: 'a', revision: 9, value: 'new' }))
        return [atStart.code, tooEarly.code]
      }),
    400_000,
  )

  assert.deepEqual(faults, ['storage.full', 'storage.full'])
  assert.deepEqual(
    rowsAside(dataDir).map(({ id, value }) => [id, value]),
    [['a', JSON.stringify(big)]],
  )
  assert.deepEqual(
    (await using(dataDir, ({ load }) => load)).documents.map(({ id, value }) => [id, value]),
    [
      ['b', 'is not held up'],
      ['a', 'new'],
    ],
  )
})

test('what is set aside is bounded: the oldest goes', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, () => Effect.void)
  tamper(dataDir, (db) =>
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO documents (collection, id, revision, value) SELECT 'streams', 's' || i, 1, '{}' FROM n`),
  )

  await using(dataDir, ({ load, setAside }) =>
    Effect.flatMap(load, ({ documents }) => setAside(allBut('none', documents))),
  )

  const aside = rowsAside(dataDir)
  assert.equal(aside.length, 1000)
  assert.equal(aside.at(-1)?.id, 's1500')
})

/** A store where the document `a` was set aside. */
const withoutA = async (dataDir: string) => {
  await twoDocuments(dataDir)
  await using(dataDir, ({ load, setAside }) =>
    Effect.flatMap(load, ({ documents }) => setAside(allBut('b', documents))),
  )
}

test('what was set aside is loaded as such, and stored again as it was found', async (t) => {
  const dataDir = dataFolder(t)
  await withoutA(dataDir)

  await using(dataDir, ({ load, setAside }) =>
    Effect.flatMap(load, ({ aside }) => {
      assert.deepEqual(aside, [{ place: 1n, collection: 'streams', id: 'a', revision: 1, value: { n: 1 } }])
      const back = aside.map(({ place, collection, id }) => ({ place, collection, id, revision: 9 }))
      return setAside({ rows: [], back, collections: numbers })
    }),
  )

  const { documents, aside } = await using(dataDir, ({ load }) => load)
  assert.deepEqual(
    documents.map(({ id, revision, value }) => [id, revision, value]),
    [
      ['b', 1, { n: 2 }],
      ['a', 9, { n: 1 }],
    ],
  )
  assert.deepEqual([aside, rowsAside(dataDir)], [[], []])
})

test('a document set aside is not tried again once another was created in its place, even if deleted', async (t) => {
  const dataDir = dataFolder(t)
  await withoutA(dataDir)

  await using(dataDir, ({ commit: write }) =>
    Effect.andThen(
      write(commit(10, { id: 'a', revision: 9 })),
      write(commit(11, { id: 'a', revision: 10, value: undefined })),
    ),
  )

  assert.deepEqual((await using(dataDir, ({ load }) => load)).aside, [])
  assert.equal(rowsAside(dataDir).length, 1)
})

test('neither what is no document nor what is larger than any that is stored here is tried again', async (t) => {
  const dataDir = dataFolder(t)
  await twoDocuments(dataDir)
  tamper(dataDir, (db) =>
    db.exec(`INSERT INTO set_aside (collection, id, revision, value, reason, at_ms) VALUES
      ('streams', 'broken', 1, '{', '', 1), (NULL, NULL, NULL, NULL, '', 1), ('streams', 'blob', 1, x'00ff', '', 1),
      ('streams', 'whale', 1, '"' || printf('%.*c', 3000000, 'x') || '"', '', 1)`),
  )

  assert.deepEqual((await using(dataDir, ({ load }) => load)).aside, [])
})
