// Jobs of a plugin: how many it may start, and what becomes of those of which it is not known whether they were
// accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { WantedJob } from '../../../../actors/jobs/jobs.ts'
import { PluginJobs } from '../../../../actors/plugins/process/plugin-jobs.ts'
import { answerOf, answerOrFail } from '../../../../actors/run.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { Job } from '../../../../machines/jobs/job.ts'
import { manifestExample } from '../../../../machines/plugins/manifest.ts'
import type { ToPlugin } from '../../../../machines/plugins/process/messages.ts'
import { arrival } from '../../../support/until.ts'

const manifest = { ...manifestExample, provides: { jobs: [{ kind: 'count', title: 'Count' }] } }
const plugin = { manifest, folder: '/packages', data_folder: '/data', granted: [] }
const late: Fault = { code: 'actor.timeout', detail: 'no answer to job.start in time' }
const over: Fault = { code: 'plugin.failed', detail: 'The program of the plugin has ended.' }

/** A plugin whose jobs are accepted, or not, as the test says. */
const withJobs = () => {
  let nowUs = 0
  let asked = 0
  const told: ToPlugin[] = []
  const begun: { readonly work: WantedJob['work']; readonly answer: (job: Job | Fault) => void }[] = []
  const start = ({ work }: WantedJob) => {
    const { promise, resolve } = Promise.withResolvers<Job | Fault>()
    begun.push({ work, answer: resolve })
    return answerOrFail(() => promise)
  }
  const send = (message: ToPlugin) => told.push(message) > 0
  const jobs = new PluginJobs(plugin, { send }, { jobs: { start }, nowUs: () => nowUs })
  return {
    jobs,
    told,
    begun,
    ask: () => {
      asked += 1
      jobs.start({ type: 'job_start', ask: asked, kind: 'count', params: null })
    },
    pass: (seconds: number) => {
      nowUs += seconds * 1e6
    },
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

const outcome = (work: WantedJob['work']) =>
  arrival(
    'the end of the work',
    answerOf(
      Effect.scoped(
        work(
          () => {},
          (each) => each,
        ),
      ),
    ),
  )

const accepted = (n: number): Job => ({ id: `abc-${n}` }) as Job

test('a plugin starts a few jobs at once, and then one a second', async () => {
  const { jobs, told, begun, ask, pass, settled } = withJobs()
  for (let n = 0; n < 4; n += 1) {
    ask()
    begun[n]?.answer(accepted(n))
    await settled()
    const done = outcome(begun[n]?.work as WantedJob['work'])
    await settled()
    jobs.done({ type: 'job_done', job: `abc-${n}`, result: n })
    await done
  }

  ask()
  pass(1)
  ask()
  await settled()

  const refused = told.flatMap((each) => (each.type === 'answer' && !each.ok ? [[each.ask, each.body]] : []))
  assert.deepEqual(
    refused.map(([number, body]) => [number, (body as Fault).code]),
    [[5, 'job.too_many']],
  )
  assert.equal(begun.length, 5)
})

test('a job that is accepted after its plugin was told that it is not ends with why, and counts once', async () => {
  const { begun, ask, pass, settled } = withJobs()
  for (let n = 0; n < 4; n += 1) ask()
  for (const { answer } of begun) answer(late)
  await settled()

  const ended = await Promise.all(begun.map(({ work }) => outcome(work)))
  pass(10)
  for (let n = 0; n < 4; n += 1) ask()
  pass(10)
  ask()

  const told = { code: 'plugin.failed', detail: `The plugin was told that there is no such job: ${late.detail}.` }
  assert.deepEqual(ended, [told, told, told, told])
  assert.equal(begun.length, 8, 'four at once')
})

test('a job that is being accepted when the program ends does not stay', async () => {
  const { jobs, begun, ask } = withJobs()
  ask()
  const ended = outcome(begun[0]?.work as WantedJob['work'])

  jobs.close(over)

  assert.deepEqual(await ended, over)
})
