// Power is cut while a job runs: the next run of the service says so, and does not begin it again.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Job } from '../../machines/jobs/job.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const WITH_JOBS = fileURLToPath(new URL('../support/processes/job-daemon.ts', import.meta.url))

const jobsOf = async (daemon: Daemon): Promise<Job[]> => (await daemon.get<{ items: Job[] }>('/v1/jobs')).items

/** The jobs as soon as their states are these, the newest first. */
const jobsIn = (daemon: Daemon, ...states: readonly Job['state'][]): Promise<Job[]> =>
  until(
    `jobs that are ${states}`,
    () => jobsOf(daemon),
    (jobs) => jobs.map(({ state }) => state).join() === states.join(),
  )

/** Until the first has said how far it is, and all of it is on disk. */
const underWay = async (daemon: Daemon): Promise<[Job, Job]> => {
  const read = async () => {
    const jobs = await jobsIn(daemon, 'queued', 'running')
    const { parts } = await daemon.get<{ parts: { name: string; state: string }[] }>('/v1/health')
    return { jobs, isSaved: parts.some(({ name, state }) => name === 'job-keeper' && state === 'ready') }
  }
  const isSo = ({ jobs, isSaved }: Awaited<ReturnType<typeof read>>) => isSaved && jobs[1]?.progress.percent === 30
  return (await until('jobs that are under way', read, isSo)).jobs as [Job, Job]
}

test('after a kill the jobs are interrupted, with a sentence, and stay so', async (t) => {
  const { dataDir, start } = site(t, WITH_JOBS)
  const first = await start()
  const [waiting, running] = await underWay(first)
  assert.deepEqual(running.progress, { percent: 30, stage: 'waiting', message: 'for the end of the world' })
  await first.end('SIGKILL')

  const second = await start()
  const [waited, ran] = (await jobsIn(second, 'interrupted', 'interrupted')) as [Job, Job]

  assert.deepEqual([waited.id, ran.id, ran.created_at_ms], [waiting.id, running.id, running.created_at_ms])
  assert.deepEqual([waited.started_at_ms, ran.started_at_ms], [null, running.started_at_ms])
  assert.match(ran.fault?.detail ?? '', /the device lost its power, before this job was done; start it again/)
  await second.error('job.interrupted', `jobs/${ran.id}`)
  assert.ok(existsSync(join(dataDir, 'first.held')), 'nobody could release it')
  const health = await second.get<{ status: string; parts: { name: string; state: string }[] }>('/v1/health')
  assert.ok(health.parts.some(({ name, state }) => name === 'job-keeper' && state === 'ready'))

  for (const { id } of [waited, ran]) assert.equal((await second.send('DELETE', `/v1/jobs/${id}`)).status, 204)
  assert.deepEqual(await jobsOf(second), [])
})

test('a job that is cancelled has released what it held, and so has one whose service is told to stop', async (t) => {
  const { dataDir, start } = site(t, WITH_JOBS)
  const daemon = await start()
  const [, running] = await underWay(daemon)
  const isHeld = (name: string) => existsSync(join(dataDir, `${name}.held`))
  assert.deepEqual([isHeld('first'), isHeld('second')], [true, false])

  assert.equal((await daemon.send('DELETE', `/v1/jobs/${running.id}`)).status, 204)
  await jobsIn(daemon, 'running', 'cancelled')
  assert.equal(isHeld('first'), false)
  await until('what the second holds', () => isHeld('second'))
  const { code } = await daemon.end('SIGTERM')

  assert.deepEqual([code, isHeld('second')], [0, false])
  const next = await start()
  await jobsIn(next, 'interrupted', 'cancelled')
})
