// Requests that may be repeated, on a real file: kept with their commit, bounded, and worth less than a start.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { KEPT_MS, KEPT_REQUESTS, MAX_ANSWER_BYTES, MAX_REQUESTS } from '../../../machines/requests/bounds.ts'
import type { GivenAnswer } from '../../../machines/requests/request.ts'
import { openFile } from '../../../native/documents/sqlite-file.ts'
import { requestTable } from '../../../native/documents/sqlite-requests.ts'
import { commit, databaseIn, dataFolder, tamper, using } from '../../support/processes/documents.ts'

const mark = { key: 'k1', fingerprint: 'f1' }
const answer: GivenAnswer = { status: 200, mediaType: 'application/json', etag: '"1"', body: '{"id":"front"}' }

test('a request is kept in the transaction of its commit, and its answer when it was given', async (t) => {
  const dataDir = dataFolder(t)

  const beforeMs = Date.now()
  await using(dataDir, (store) => store.commit(commit(1, { request: mark })))
  const afterMs = Date.now()
  const unanswered = await using(dataDir, (store) => store.findRequest('k1'))
  await using(dataDir, (store) => store.finishRequest(mark, answer))
  const answered = await using(dataDir, (store) => store.findRequest('k1'))

  const at_ms = unanswered?.written?.at_ms ?? 0
  const written = { id: 'front', revision: 1, at_ms }
  assert.ok(beforeMs <= at_ms && at_ms <= afterMs)
  assert.deepEqual(unanswered, { ...mark, written, answer: null })
  assert.deepEqual(answered, { ...mark, written, answer })
  assert.equal(await using(dataDir, (store) => store.findRequest('k2')), undefined)
})

test('a commit that fails keeps nothing of its request', async (t) => {
  const dataDir = dataFolder(t)
  const tooLarge = commit(1, { value: { padding: 'x'.repeat(4_000_000) }, request: mark })

  const found = await using(
    dataDir,
    (store) => Effect.andThen(Effect.ignore(store.commit(tooLarge)), store.findRequest('k1')),
    1_000_000,
  )

  assert.equal(found, undefined)
})

test('an answer that is too long is made again from what was written', async (t) => {
  const hashes = Array.from({ length: 200 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'))
  const noise = hashes.join('') // 6 kB, however it is compressed
  assert.ok(noise.length / 2 > MAX_ANSWER_BYTES)

  const found = await using(dataFolder(t), (store) =>
    store
      .commit(commit(4, { request: mark }))
      .pipe(
        Effect.andThen(store.finishRequest(mark, { ...answer, body: noise })),
        Effect.andThen(store.findRequest('k1')),
      ),
  )

  assert.deepEqual([found?.written?.revision, found?.answer], [4, null])
})

/** Requests without waiting for the disk, at times of the test's own. */
const unsynced = (dataDir: string) => {
  const { db } = openFile(databaseIn(dataDir), 64_000_000)
  db.exec('PRAGMA synchronous = OFF; BEGIN')
  const clock = { nowMs: 1_000_000 }
  const table = requestTable(db, () => clock.nowMs)
  const add = (n: number, sender = '') =>
    table.begin({ key: `${sender}k${n}`, fingerprint: 'f' }, { id: 'front', revision: 1 })
  const count = () => Number(db.prepare('SELECT count(*) AS n FROM requests').get()?.n)
  return { db, table, clock, add, count }
}

test('a request is kept until ten thousand newer ones came and ten minutes passed', (t) => {
  const { db, table, clock, add, count } = unsynced(dataFolder(t))

  for (let n = 0; n < KEPT_REQUESTS + 100; n += 1) add(n)
  assert.ok(table.find('k0'), 'ten minutes have not passed')
  clock.nowMs += KEPT_MS + 1
  for (let n = 0; n < 200; n += 1) add(KEPT_REQUESTS + 100 + n)

  assert.equal(count(), KEPT_REQUESTS)
  assert.equal(table.find('k299'), undefined)
  assert.ok(table.find('k300'), 'it is among the newest ten thousand')
  db.close()
})

test('there are never more than the disk has room for, and the oldest go first', (t) => {
  const { db, add, count, table } = unsynced(dataFolder(t))
  let most = 0

  for (let n = 0; n < MAX_REQUESTS + 500; n += 1) {
    add(n)
    if (n >= MAX_REQUESTS - 5) most = Math.max(most, count())
  }

  assert.ok(most <= MAX_REQUESTS, `${most} at a time`)
  assert.ok(count() > 0.98 * MAX_REQUESTS, `${count()} are left`)
  assert.equal(table.find('k0'), undefined)
  assert.ok(table.find('k1000'))
  db.close()
})

test('a device that floods loses the oldest of its own, and nobody else loses any', (t) => {
  const { db, add, count, table } = unsynced(dataFolder(t))
  for (let n = 0; n < 100; n += 1) for (const sender of ['', 'quiet ']) add(n, sender)

  for (let n = 0; n < MAX_REQUESTS; n += 1) {
    add(n, 'loud ')
    if (n % 1_000 === 0) add(n, 'slow ')
  }

  const isKept = (key: string) => table.find(key) !== undefined
  for (let n = 0; n < 100; n += 1) assert.ok(isKept(`k${n}`) && isKept(`quiet k${n}`), `of others, ${n}`)
  assert.ok(isKept('slow k0'))
  assert.deepEqual([isKept('loud k0'), isKept('loud k1000')], [false, true])
  assert.ok(count() <= MAX_REQUESTS)
  db.close()
})

test('of two devices that flood both lose, until they have as many', (t) => {
  const { db, add } = unsynced(dataFolder(t))

  for (let n = 0; n < MAX_REQUESTS; n += 1) {
    add(n, 'loud ')
    if (n > MAX_REQUESTS / 4) add(n, 'late ')
  }

  const of = (sender: string) =>
    Number(db.prepare(`SELECT count(*) AS n FROM requests WHERE key LIKE '${sender} %'`).get()?.n)
  const [loud, late] = [of('loud'), of('late')]
  assert.ok(Math.abs(loud - late) <= 512 && loud > 15_000, `${loud} and ${late}`)
  db.close()
})

test('a row that makes no sense is no request, and keeps nobody from starting', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, (store) => store.finishRequest(mark, answer))
  tamper(dataDir, (db) => db.exec(`UPDATE requests SET body = x'ff00ff', id = 'front', revision = 3`))

  const found = await using(dataDir, (store) => store.findRequest('k1'))

  assert.deepEqual([found?.written?.id, found?.written?.revision, found?.answer], ['front', 3, null])
})
