// Jobs in a real file: there when the saving succeeds, in the order in which they were accepted, and worth less than a
// start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { endingWith, type Job, MAX_RESULT_CHARACTERS, newJob } from '../../../machines/jobs/job.ts'
import { MAX_ENDED, MAX_WAITING } from '../../../machines/jobs/job-list.ts'
import { dataFolder, faultOf, tamper, tamperLoosely, using } from '../../support/processes/documents.ts'

const job = (n: number): Job =>
  newJob({ id: `a-${n}`, kind: 'measure', resource_ref: { stream_id: 'front' }, created_at_ms: n })
const done = (n: number, result: unknown = { n }): Job => ({ ...job(n), ...endingWith(result), ended_at_ms: n + 1 })
const mark = { key: 'k1', fingerprint: 'f1' }

const loaded = (dataDir: string) => using(dataDir, ({ loadJobs }) => loadJobs)

test('jobs come back as they were saved, in the order in which they were accepted', async (t) => {
  const dataDir = dataFolder(t)

  await using(dataDir, ({ saveJobs }) =>
    Effect.andThen(saveJobs([job(1), job(2)]), saveJobs([done(1), job(2), job(3)])),
  )
  assert.deepEqual(await loaded(dataDir), [done(1), job(2), job(3)])
  await using(dataDir, ({ loadJobs, saveJobs }) => Effect.andThen(loadJobs, saveJobs([done(2)])))
  assert.deepEqual(await loaded(dataDir), [done(2)])
})

test('a job that is as it was saved is not written again', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ saveJobs }) => saveJobs([done(1), done(2)]))
  tamper(dataDir, (db) =>
    db.exec(`CREATE TRIGGER one BEFORE UPDATE ON jobs WHEN old.id = 'a-1' BEGIN SELECT raise(ABORT, 'written'); END`),
  )

  const { unchanged, changed } = await using(dataDir, ({ loadJobs, saveJobs }) =>
    Effect.gen(function* () {
      const [one, two] = (yield* loadJobs) as readonly [Job, Job]
      const unchanged = yield* Effect.result(saveJobs([one, { ...two, result: null }]))
      return { unchanged, changed: yield* faultOf(saveJobs([{ ...one, result: null }, two])) }
    }),
  )

  assert.equal(unchanged._tag, 'Success')
  assert.match(changed.detail, /written/)
})

test('the request that ordered a job is kept in the transaction of the job', async (t) => {
  const dataDir = dataFolder(t)

  await using(dataDir, ({ saveJobs }) => saveJobs([job(1)], { id: 'a-1', mark }))
  const kept = await using(dataDir, ({ findRequest }) => findRequest('k1'))
  const tooLong = { ...done(2), result: 'x'.repeat(4_000_000) }
  const { fault, other } = await using(
    dataDir,
    ({ saveJobs, findRequest }) =>
      Effect.gen(function* () {
        const fault = yield* faultOf(saveJobs([job(1), tooLong], { id: 'a-2', mark: { ...mark, key: 'k2' } }))
        return { fault, other: yield* findRequest('k2') }
      }),
    1_000_000,
  )

  assert.deepEqual([kept?.written?.id, kept?.written?.revision, kept?.answer], ['a-1', 0, null])
  assert.deepEqual([fault.code, other, await loaded(dataDir)], ['storage.full', undefined, [job(1)]])
})

test('so is one that changes no job, as the cancelling of one that runs', async (t) => {
  const dataDir = dataFolder(t)

  await using(dataDir, ({ saveJobs }) => saveJobs([job(1)]))
  await using(dataDir, ({ loadJobs, saveJobs }) =>
    Effect.flatMap(loadJobs, (jobs) => saveJobs(jobs, { id: 'a-1', mark })),
  )

  const kept = await using(dataDir, ({ findRequest }) => findRequest('k1'))
  assert.equal(kept?.written?.id, 'a-1')
})

test('a job that the file does not keep is not accepted', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ saveJobs }) => saveJobs([done(1)]))
  tamper(dataDir, (db) => db.exec('CREATE TRIGGER theirs BEFORE INSERT ON jobs BEGIN SELECT RAISE(IGNORE); END'))

  const fault = await using(dataDir, ({ saveJobs }) => faultOf(saveJobs([done(1), job(2)])))

  assert.equal(fault.code, 'storage.failed')
  assert.match(fault.detail, /did not keep jobs\/a-\d as it was written/)
})

for (const [trigger, jobs] of [
  ['AFTER INSERT ON jobs BEGIN DELETE FROM jobs WHERE position = NEW.position; END', [done(1), job(2)]],
  [`AFTER UPDATE ON jobs BEGIN UPDATE jobs SET job = '{}' WHERE id = NEW.id; END`, [done(1, 'other')]],
] as const)
  test(`jobs are not saved where there is a trigger ${trigger}`, async (t) => {
    const dataDir = dataFolder(t)
    await using(dataDir, ({ saveJobs }) => saveJobs([done(1)]))
    tamper(dataDir, (db) => db.exec(`CREATE TRIGGER theirs ${trigger}`))

    const fault = await using(dataDir, ({ saveJobs }) => faultOf(saveJobs(jobs)))

    assert.match(fault.detail, /did not keep jobs\/a-\d as it was written/)
    assert.deepEqual(await loaded(dataDir), [done(1)])
  })

test('rows that are no jobs are left out, and removed with the next saving', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ saveJobs }) => saveJobs([done(1), done(2)]))
  tamperLoosely(
    dataDir,
    `INSERT INTO jobs (id, job) VALUES ('a-3', 'no json'), ('a-4', '{}'), ('a-5', x'00'), ('a-6', 7), (NULL, NULL),
       ('a-7', (SELECT job FROM jobs WHERE id = 'a-1')),
       ('a-8', (SELECT replace(job, 'done', 'lost') FROM jobs WHERE id = 'a-2')),
       ('b-1', (SELECT replace(replace(job, 'done', 'running'), 'a-1', 'b-1') FROM jobs WHERE id = 'a-1')),
       ('b-2', (SELECT json_replace(replace(job, 'a-2', 'b-2'), '$.ended_at_ms', NULL) FROM jobs WHERE id = 'a-2'))`,
  )

  const { faults, jobs } = await using(dataDir, ({ openingFaults, loadJobs, saveJobs }) =>
    Effect.map(loadJobs, (jobs) => ({ faults: openingFaults, jobs })).pipe(
      Effect.tap(({ jobs }) => saveJobs([...jobs, job(9)])),
    ),
  )

  assert.deepEqual([faults, jobs], [[], [done(1), done(2)]])
  const ids = tamper(dataDir, (db) => db.prepare('SELECT id FROM jobs ORDER BY position').all())
  assert.deepEqual(
    ids.map(({ id }) => id),
    ['a-1', 'a-2', 'a-9'],
  )
})

test('as many jobs as there can be, each with the longest result, leave room for the settings', async (t) => {
  const dataDir = dataFolder(t)
  const longest = 'x'.repeat(MAX_RESULT_CHARACTERS - 2)
  const most = Array.from({ length: MAX_ENDED }, (_, n) => done(n + 1, longest))
  const waiting = Array.from({ length: MAX_WAITING + 1 }, (_, n) => job(100 + n))

  await using(dataDir, ({ saveJobs }) => saveJobs([...most, ...waiting]))

  const { bytes } = tamper(dataDir, (db) =>
    db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()').get(),
  ) as { bytes: number }
  assert.ok(bytes < 5_000_000, `${bytes} of 64 MiB`)
})
