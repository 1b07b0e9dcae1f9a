// What somebody with a database tool left in a real file: triggers that swallow writes, and documents larger than any
// that is written here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { commit, dataFolder, faultOf, tamper, using } from '../../support/processes/documents.ts'

const writes = {
  creations: commit(2, { id: 'rear', revision: 1 }),
  changes: commit(2),
  deletions: commit(2, { value: undefined }),
}
type Write = keyof typeof writes

/** Which writes a trigger swallows, or spoils. */
const triggers: readonly (readonly [trigger: string, ...swallows: readonly Write[]])[] = [
  ['BEFORE INSERT ON documents BEGIN SELECT RAISE(IGNORE); END', 'creations'],
  ['BEFORE UPDATE ON documents BEGIN SELECT RAISE(IGNORE); END', 'changes'],
  ['BEFORE DELETE ON documents BEGIN SELECT RAISE(IGNORE); END', 'deletions'],
  ['BEFORE INSERT ON collections BEGIN SELECT RAISE(IGNORE); END', 'creations', 'changes', 'deletions'],
  ['AFTER INSERT ON documents BEGIN DELETE FROM documents WHERE position = NEW.position; END', 'creations'],
  [`AFTER UPDATE ON documents BEGIN UPDATE documents SET value = '5' WHERE id = NEW.id; END`, 'changes'],
]

for (const [trigger, ...swallows] of triggers)
  for (const what of swallows)
    test(`${what} are refused and change nothing where there is a trigger ${trigger}`, async (t) => {
      const dataDir = dataFolder(t)
      await using(dataDir, ({ commit: write }) => write(commit(1)))
      tamper(dataDir, (db) => db.exec(`CREATE TRIGGER theirs ${trigger}`))

      const { fault, before, after } = await using(dataDir, ({ commit: write, load }) =>
        Effect.gen(function* () {
          const before = yield* load
          return { before, fault: yield* faultOf(write(writes[what])), after: yield* load }
        }),
      )

      assert.equal(fault.code, 'storage.failed')
      // what was not changed is created, which the table refuses
      assert.match(fault.detail, /did not keep .* as it was written|UNIQUE/)
      assert.deepEqual(after, before)
    })

for (const table of ['documents', 'set_aside', 'collections', 'errors', 'requests', 'jobs'])
  for (const how of ['ABORT', 'FAIL', 'ROLLBACK'])
    test(`a trigger that lets nobody write to ${table} (${how}) costs no settings`, async (t) => {
      const dataDir = dataFolder(t)
      await using(dataDir, ({ commit: write }) => write(commit(1)))
      tamper(dataDir, (db) =>
        db.exec(`CREATE TRIGGER theirs BEFORE INSERT ON ${table} BEGIN SELECT RAISE(${how}, 'no'); END`),
      )

      const [faults, { documents }] = await using(dataDir, ({ openingFaults, load }) =>
        Effect.map(load, (stored) => [openingFaults, stored] as const),
      )

      assert.deepEqual([faults, documents.map(({ id }) => id)], [[], ['front']])
    })

test('a request of which no mark can be kept is not carried out', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ commit: write }) => write(commit(1)))
  tamper(dataDir, (db) => db.exec('CREATE TRIGGER theirs BEFORE INSERT ON requests BEGIN SELECT RAISE(IGNORE); END'))

  const [fault, kept] = await using(dataDir, ({ commit: write, load }) =>
    Effect.all([faultOf(write(commit(2, { request: { key: 'k', fingerprint: 'f' } }))), load]),
  )

  assert.equal(fault.code, 'storage.failed')
  assert.deepEqual(
    kept.documents.map(({ revision }) => revision),
    [1],
  )
})

test('what somebody put in that is larger than all that is stored here takes no room from it', async (t) => {
  const dataDir = dataFolder(t)
  const [limit, some] = [3_000_000, 'x'.repeat(400_000)]
  await using(dataDir, ({ commit: write }) => write(commit(1)), limit)
  tamper(dataDir, (db) =>
    db
      .prepare(`INSERT INTO documents (collection, id, revision, value) VALUES ('streams', 'whale', 1, ?)`)
      .run(JSON.stringify('x'.repeat(9_000_000))),
  )

  await using(
    dataDir,
    ({ load, setAside }) =>
      Effect.flatMap(load, ({ documents }) => {
        const rows = documents.filter(({ id }) => id === 'whale').map((row) => ({ ...row, reason: 'does not fit' }))
        return setAside({ rows, back: [], collections: { streams: { revision: 2, base: 2 } } })
      }),
    limit,
  )
  tamper(dataDir, (db) => db.exec('VACUUM')) // so that no room is left over from the moving
  const [stored, fault] = await using(
    dataDir,
    ({ commit: write }) => {
      const writes = (...ns: number[]) =>
        Effect.forEach(ns, (n) => write(commit(3 + n, { id: `s${n}`, revision: 3, value: some })))
      return Effect.all([writes(0, 1, 2, 3, 4), faultOf(writes(5, 6, 7, 8, 9))])
    },
    limit,
  )

  assert.equal(stored.length, 5)
  assert.equal(fault.code, 'storage.full', 'what is stored here is bounded as ever')
})

test('a clearing of the error history fails when the file keeps what was cleared', async (t) => {
  const dataDir = dataFolder(t)
  const entry = { code: 'camera.lost', resource: '', detail: 'unplugged', count: 1, first_at_ms: 1, last_at_ms: 2 }
  await using(dataDir, ({ saveErrors }) => saveErrors({ revision: 1, entries: [entry] }))
  tamper(dataDir, (db) => db.exec('CREATE TRIGGER theirs BEFORE DELETE ON errors BEGIN SELECT RAISE(IGNORE); END'))

  const [fault, kept] = await using(dataDir, ({ saveErrors, loadErrors }) =>
    Effect.all([faultOf(saveErrors({ revision: 2, entries: [] })), loadErrors]),
  )

  assert.equal(fault.code, 'storage.failed')
  assert.deepEqual(kept, { revision: 1, entries: [entry] })
})
