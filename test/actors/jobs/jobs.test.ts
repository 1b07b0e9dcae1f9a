// The way in which other rooms start jobs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import { fakeService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { Works } from '../../support/works.ts'

test('whoever starts a job gets it as it was accepted, and finds there what came of it', async (t) => {
  const { resolve, documents } = await fakeService(t)
  const [jobs, works] = [resolve(JOBS), new Works()]

  const job = await Effect.runPromise(jobs.start({ kind: 'count', resource_ref: {}, work: works.named('a') }))
  assert.deepEqual([job.kind, job.state, documents.jobSaves.at(-1)?.[0]?.id], ['count', 'queued', job.id])
  const run = await works.run('a')
  run.end(Effect.succeed(7))

  const { result } = (await until(
    'the end',
    () => jobs.get(job.id),
    (each) => each?.state === 'done',
  )) as typeof job
  assert.equal(result, 7)
})

test('orders that come at once are all carried out, each job has an id of its own', async (t) => {
  const { resolve } = await fakeService(t)
  const [jobs, works] = [resolve(JOBS), new Works()]

  const started = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      Effect.runPromise(jobs.start({ kind: 'count', resource_ref: {}, work: works.named(name) })),
    ),
  )

  assert.equal(new Set(started.map(({ id }) => id)).size, 3)
  assert.deepEqual(
    jobs.all().map(({ id }) => id),
    started.map(({ id }) => id),
  )
})

test('what cannot be started says why', async (t) => {
  const { resolve, documents, takeDown } = await fakeService(t)
  const [jobs, works] = [resolve(JOBS), new Works()]
  const refusal = () =>
    Effect.runPromise(Effect.flip(jobs.start({ kind: 'count', resource_ref: {}, work: works.named('a') })))

  documents.fault = { code: 'storage.full', detail: 'no room' }
  assert.equal((await refusal()).code, 'storage.full')
  await takeDown('job-keeper')
  assert.equal((await refusal()).code, 'actor.unavailable')

  assert.deepEqual([jobs.all(), works.count('a')], [[], 0])
})

test('of progress that is told without end no more is shown than people can read', async (t) => {
  const { resolve, directory } = await fakeService(t)
  const [jobs, works] = [resolve(JOBS), new Works()]
  await Effect.runPromise(jobs.start({ kind: 'count', resource_ref: {}, work: works.named('a') }))
  const run = await works.run('a')
  const before = directory.events.last()

  for (let n = 0; n < 10_000; n += 1) run.report({ percent: n / 100 })
  const told = directory.events.last() - before
  run.end(Effect.succeed(null))
  const last = await until(
    'the end',
    () => jobs.all()[0],
    (job) => job?.state === 'done',
  )

  assert.equal(told, 1)
  assert.equal(last?.progress.percent, 99.99)
})
