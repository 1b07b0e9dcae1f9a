// The store on a real file, in a temporary folder: what it keeps, what it refuses, and what it survives.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type { ErrorEntry } from '../../../machines/errors/history.ts'
import { MIGRATIONS } from '../../../native/documents/migrations.ts'
import type { Documents } from '../../../native/documents/port.ts'
import { sqliteDocuments } from '../../../native/documents/sqlite.ts'
import { commit, dataFolder, faultOf, tamper, usingThread as using } from '../../support/processes/documents.ts'
import { killedAfter } from '../../support/processes/killed.ts'

test('documents, their revisions and their order are kept, and of deleted ones where revisions go on', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ commit: write }) =>
    Effect.forEach(
      [
        commit(1, { id: 'back' }),
        commit(2, { id: 'front' }),
        commit(3, { id: 'aft' }),
        commit(4, { id: 'back', value: { changed: [1, 'ü', null] } }),
        commit(5, { id: 'front', value: undefined, collectionBase: 5 }),
        commit(6, { id: 'aft', value: undefined, collectionBase: 6 }),
        commit(7, { id: 'aft', value: null, collectionBase: 6 }),
      ],
      write,
    ),
  )

  const kept = await using(dataDir, ({ load }) => load)

  assert.deepEqual(kept, {
    documents: [
      { place: 1n, collection: 'streams', id: 'back', revision: 4, value: { changed: [1, 'ü', null] } },
      { place: 2n, collection: 'streams', id: 'aft', revision: 7, value: null },
    ],
    unreadable: [],
    aside: [],
    collections: { streams: { revision: 7, base: 6 } },
  })
})

test('one that is created again comes after those that were there', async (t) => {
  const dataDir = dataFolder(t)

  const kept = await using(dataDir, ({ commit: write, load }) =>
    Effect.andThen(
      Effect.forEach(
        [
          commit(1, { id: 'a' }),
          commit(2, { id: 'b' }),
          commit(3, { id: 'a', value: undefined }),
          commit(4, { id: 'a' }),
        ],
        write,
      ),
      load,
    ),
  )

  assert.deepEqual(
    kept.documents.map(({ id }) => id),
    ['b', 'a'],
  )
})

test('the error history is kept, replaced and emptied', async (t) => {
  const dataDir = dataFolder(t)
  const entry = (code: string, count: number): ErrorEntry => ({
    code,
    resource: '',
    detail: code,
    count,
    first_at_ms: 1,
    last_at_ms: count,
  })
  const [lost, slow, hot] = [entry('camera.lost', 1), entry('link.slow', 2), entry('lamp.hot', 3)]

  await using(dataDir, ({ saveErrors }) =>
    Effect.andThen(
      saveErrors({ revision: 1, entries: [lost, slow] }),
      saveErrors({ revision: 2, entries: [slow, hot] }),
    ),
  )
  assert.deepEqual(await using(dataDir, ({ loadErrors }) => loadErrors), { revision: 2, entries: [slow, hot] })

  await using(dataDir, ({ saveErrors }) => saveErrors({ revision: 3, entries: [] }))
  assert.deepEqual(await using(dataDir, ({ loadErrors }) => loadErrors), { revision: 3, entries: [] })
})

test('a file of a newer version is refused with a sentence and left as it is', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ commit: write }) => write(commit(1)))
  const file = join(dataDir, 'vedette.db')
  tamper(dataDir, (db) => db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`))
  const before = readFileSync(file)

  const fault = await Effect.runPromise(faultOf(Effect.scoped(sqliteDocuments({ dataDir }).open)))

  assert.equal(fault.code, 'storage.newer_schema')
  const [newest, newer] = [MIGRATIONS.length, MIGRATIONS.length + 1]
  assert.match(
    fault.detail,
    new RegExp(`has schema ${newer}, but this version knows only up to ${newest}; install the newer`),
  )
  assert.deepEqual(readFileSync(file), before)
  assert.deepEqual(readdirSync(dataDir), ['vedette.db'])
})

/**
 * numbers: what is kept of the collections; that a document is lost is still known where only its own page is broken.
 */
const breakages: readonly (readonly [string, (file: string) => void, numbers?: object])[] = [
  ['a file that is no database', (file) => writeFileSync(file, 'settings: yes\n'.repeat(1000))],
  ['a file cut short', (file) => truncateSync(file, 5000)],
  [
    'a file with a page overwritten',
    (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 4096, 8192)),
    { streams: { revision: 1_000_001, base: 1_000_001 } },
  ],
]
for (const [what, damage, numbers = {}] of breakages) {
  test(`${what} is set aside and reported, and a fresh store begins`, async (t) => {
    const dataDir = dataFolder(t)
    const file = join(dataDir, 'vedette.db')
    await using(dataDir, ({ commit: write }) => write(commit(1)))
    damage(file)
    const damaged = readFileSync(file)

    const { faults, kept } = await using(dataDir, ({ openingFaults, load, commit: write }) =>
      Effect.map(load, (kept) => ({ faults: openingFaults, kept })).pipe(Effect.tap(() => write(commit(1)))),
    )

    assert.deepEqual(
      faults.map(({ code }) => code),
      ['storage.corrupt'],
    )
    assert.match(faults[0]?.detail ?? '', /set aside as .*vedette\.db\.corrupt-1/)
    assert.deepEqual(kept, { documents: [], unreadable: [], aside: [], collections: numbers })
    assert.deepEqual(readFileSync(`${file}.corrupt-1`), damaged)
    assert.equal((await using(dataDir, ({ load }) => load)).documents.length, 1)
  })
}

test('a second broken file does not replace the first that was set aside', async (t) => {
  const dataDir = dataFolder(t)
  const file = join(dataDir, 'vedette.db')
  for (const text of ['first', 'second']) {
    writeFileSync(file, text.repeat(1000))
    await using(dataDir, () => Effect.void)
  }

  assert.match(readFileSync(`${file}.corrupt-1`, 'utf8'), /^first/)
  assert.match(readFileSync(`${file}.corrupt-2`, 'utf8'), /^second/)
})

/** Kills a writer as soon as it has acknowledged so many writes; returns the revisions of all that it acknowledged. */
const killedWriter = async (dataDir: string, writes: number): Promise<readonly number[]> =>
  (await killedAfter(writes, [join(import.meta.dirname, 'sqlite-writer.ts'), dataDir])).map(Number)

test('a log that lost its database is set aside, not deleted', async (t) => {
  const dataDir = dataFolder(t)
  const file = join(dataDir, 'vedette.db')
  await killedWriter(dataDir, 1)
  rmSync(file)
  const log = readFileSync(`${file}-wal`)

  const faults = await using(dataDir, ({ openingFaults }) => Effect.succeed(openingFaults))

  assert.deepEqual(
    faults.map(({ code }) => code),
    ['storage.corrupt'],
  )
  assert.deepEqual(readFileSync(`${file}.corrupt-1-wal`), log)
})

test('a torn end of the log and a stray index are taken in stride', async (t) => {
  const dataDir = dataFolder(t)
  const file = join(dataDir, 'vedette.db')
  await killedWriter(dataDir, 1)
  appendFileSync(`${file}-wal`, Buffer.alloc(777, 0x5a))
  writeFileSync(`${file}-shm`, Buffer.alloc(777, 0x5a))

  const { faults, kept } = await using(dataDir, ({ openingFaults, load }) =>
    Effect.map(load, (kept) => ({ faults: openingFaults, kept })),
  )

  assert.deepEqual(faults, [])
  assert.equal(kept.documents.length, 1)
})

test('a second process with the same folder is refused', async (t) => {
  const dataDir = dataFolder(t)

  const fault = await using(dataDir, () => faultOf(Effect.scoped(sqliteDocuments({ dataDir }).open)))

  assert.equal(fault.code, 'storage.in_use')
})

test('a folder that cannot be written is a fault that names the file', async (t) => {
  const dataDir = dataFolder(t)
  writeFileSync(join(dataDir, 'file'), '')

  const fault = await Effect.runPromise(
    faultOf(Effect.scoped(sqliteDocuments({ dataDir: join(dataDir, 'file') }).open)),
  )

  assert.equal(fault.code, 'storage.failed')
  assert.match(fault.detail, /vedette\.db/)
})

const big = (revision: number) => commit(revision, { value: 'x'.repeat(20_000) })

/** Commits until there is no room, then tells what is kept. */
const fillUp = (documents: Documents) =>
  Effect.gen(function* () {
    let acknowledged = 0
    for (;;) {
      const exit = yield* Effect.exit(documents.commit({ ...big(acknowledged + 1), id: `s${acknowledged}` }))
      if (Exit.isFailure(exit)) break
      acknowledged += 1
    }
    const fault = yield* faultOf(documents.commit({ ...big(acknowledged + 1), id: 'more' }))
    return { fault, acknowledged, kept: yield* documents.load }
  })

test('a store at its limit refuses what does not fit, keeps what was there and takes what fits', async (t) => {
  const dataDir = dataFolder(t)

  const { fault, kept, acknowledged } = await using(
    dataDir,
    (documents) => Effect.tap(fillUp(documents), () => documents.commit(commit(1, { id: 's0', value: 'small' }))),
    400_000,
  )

  assert.equal(fault.code, 'storage.full')
  assert.ok(acknowledged > 5)
  assert.equal(kept.documents.length, acknowledged)
  assert.equal(kept.collections.streams?.revision, acknowledged)
})

test('a full disk refuses what does not fit, keeps what was there, and goes on when there is room again', async (t) => {
  const dataDir = dataFolder(t)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', dataDir], { stdio: 'ignore' })
  } catch {
    t.skip('needs the right to mount a small file system')
    return
  }
  try {
    const ballast = join(dataDir, 'ballast')
    writeFileSync(ballast, Buffer.alloc(200_000))

    const { fault, kept, acknowledged } = await using(dataDir, (documents) =>
      Effect.tap(fillUp(documents), ({ acknowledged: before }) => {
        rmSync(ballast)
        return documents.commit({ ...big(before + 1), id: 'more' })
      }),
    )

    assert.equal(fault.code, 'storage.full')
    assert.ok(acknowledged > 5)
    assert.equal(kept.documents.length, acknowledged)
    assert.equal((await using(dataDir, ({ load }) => load)).documents.length, acknowledged + 1)
  } finally {
    execFileSync('umount', [dataDir])
  }
})

test('no acknowledged write is lost, whenever the process is killed', async (t) => {
  const dataDir = dataFolder(t)
  let acknowledged = 0

  for (let kill = 0; kill < 8; kill += 1) {
    const before = acknowledged
    acknowledged = (await killedWriter(dataDir, 1 + Math.floor(Math.random() * 40))).at(-1) ?? 0
    assert.ok(acknowledged > before, 'the writer acknowledged nothing')

    const { documents, collections } = await using(dataDir, ({ load, openingFaults }) => {
      assert.deepEqual(openingFaults, [])
      return load
    })
    const [{ revision = 0, value } = {}] = documents
    assert.ok(
      revision === acknowledged || revision === acknowledged + 1,
      `${revision} is kept, ${acknowledged} were acknowledged`,
    )
    assert.equal(collections.streams?.revision, revision)
    assert.equal((value as { padding: string }).padding.length, 5000)
    acknowledged = revision
  }
  assert.ok(existsSync(join(dataDir, 'vedette.db')))
})
