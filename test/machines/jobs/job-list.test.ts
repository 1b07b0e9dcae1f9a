// The rules of jobs: which run, how many wait, how many are kept, and what a restart makes of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { cancelled, endingWith, type Job, newJob, progressOf } from '../../../machines/jobs/job.ts'
import { createJobStore, MAX_ENDED, MAX_WAITING, wantedJobs } from '../../../machines/jobs/job-list.ts'

const job = (n: number, kind = 'measure'): Job => newJob({ id: `a-${n}`, kind, resource_ref: {}, created_at_ms: n })

/** A store of jobs, and what a test does with it. */
const jobs = (count = 0) => {
  const store = createJobStore()
  const accept = (n: number, kind?: string) => store.trigger.ordered({ change: { type: 'accept', job: job(n, kind) } })
  for (let n = 1; n <= count; n += 1) accept(n)
  return {
    store,
    accept,
    wait: (n: number, isWaiting = true) => store.trigger.waited({ id: `a-${n}`, isWaiting }),
    remove: (n: number) => store.trigger.ordered({ change: { type: 'remove', id: `a-${n}`, at_ms: 50 } }),
    start: (n: number) => store.trigger.started({ id: `a-${n}`, at_ms: 60 }),
    end: (n: number, ending = endingWith({ n })) => store.trigger.ended({ id: `a-${n}`, ending, at_ms: 100 + n }),
    list: () => store.getSnapshot().context,
    states: () => store.getSnapshot().context.jobs.map(({ id, state }) => `${id} ${state}`),
    wanted: () => wantedJobs(store.getSnapshot().context).map(({ id }) => id),
  }
}

test('one runs at a time, in the order in which they were accepted', () => {
  const { wanted, start, end } = jobs(3)

  assert.deepEqual(wanted(), ['a-1'])
  start(1)
  assert.deepEqual(wanted(), ['a-1'])
  end(1)
  assert.deepEqual(wanted(), ['a-2'])
})

test('one that is being cancelled keeps its room until it has ended', () => {
  const { wanted, start, end, remove, states } = jobs(2)
  start(1)

  remove(1)
  assert.deepEqual([wanted(), states()], [[], ['a-1 running', 'a-2 queued']])
  end(1, cancelled)
  assert.deepEqual([wanted(), states()], [['a-2'], ['a-1 cancelled', 'a-2 queued']])
})

test('one that waits is cancelled at once, and one that has ended is forgotten', () => {
  const { start, end, remove, states } = jobs(2)
  start(1)
  end(1)

  remove(2)
  assert.deepEqual(states(), ['a-1 done', 'a-2 cancelled'])
  remove(1)
  remove(2)
  assert.deepEqual(states(), [])
})

test('one that waits for a person lets others have their turn, goes on, and can be cancelled', () => {
  const { wanted, start, end, wait, remove, states } = jobs(3)
  start(1)

  wait(1)
  assert.deepEqual([wanted(), states()[0]], [['a-1', 'a-2'], 'a-1 waiting-user'])
  start(2)
  wait(1, false)
  assert.deepEqual([wanted(), states()[0]], [['a-1', 'a-2'], 'a-1 running'])
  wait(1)
  remove(1)
  assert.deepEqual(wanted(), ['a-2'])
  end(1, cancelled)
  assert.deepEqual(states(), ['a-1 cancelled', 'a-2 running', 'a-3 queued'])
  wait(1)
  assert.equal(states()[0], 'a-1 cancelled')
})

test('a kind that takes no turn runs at once, beside the one whose turn it is', () => {
  const { store, accept, wanted, start } = jobs(2)
  store.trigger.declared({ kind: 'restart' })
  start(1)

  accept(3, 'restart')
  accept(4, 'restart')

  assert.deepEqual(wanted(), ['a-1', 'a-3', 'a-4'])
  start(3)
  assert.deepEqual(wanted(), ['a-1', 'a-3', 'a-4'])
})

test('a kind that takes no turn is found again after a restart, as it began', () => {
  const { store, list, wanted, start } = jobs()
  store.trigger.declared({ kind: 'restart' })
  const begun: Job = { ...job(1, 'restart'), state: 'waiting-user', started_at_ms: 3, created_at_ms: 2 }

  store.trigger.loaded({ jobs: [begun, { ...job(2), state: 'waiting-user', started_at_ms: 3 }], at_ms: 900 })

  assert.deepEqual(
    list().jobs.map(({ state, ended_at_ms }) => [state, ended_at_ms]),
    [
      ['queued', null],
      ['interrupted', 900],
    ],
  )
  assert.deepEqual(wanted(), ['a-1'])
  start(1)
  assert.deepEqual([list().jobs[0]?.state, list().jobs[0]?.started_at_ms], ['running', 3])
})

test('the first end counts, and nothing happens to a job afterwards', () => {
  const { store, start, end, list } = jobs(1)
  start(1)
  end(1)
  const before = list()

  end(1, cancelled)
  start(1)
  store.trigger.progressed({ id: 'a-1', progress: progressOf({ percent: 1 }) })

  assert.equal(list(), before)
})

test('no more wait than a person would start, beside the one that runs', () => {
  const { accept, start, states } = jobs(MAX_WAITING)
  start(1)
  accept(MAX_WAITING + 1)
  const before = states()

  accept(MAX_WAITING + 2)

  assert.deepEqual([states(), before.length], [before, MAX_WAITING + 1])
})

test('of those that have ended the latest are kept', () => {
  const { accept, start, end, list } = jobs()
  for (let n = 1; n <= MAX_ENDED + 7; n += 1) {
    accept(n)
    start(n)
    end(n)
  }

  assert.equal(list().jobs.length, MAX_ENDED)
  assert.equal(list().jobs[0]?.id, 'a-8')
})

test('after a restart unfinished jobs are interrupted, with a sentence, and those that came since go on', () => {
  const { store, list, wanted, accept } = jobs()
  const kept: Job[] = [
    { ...job(1), ...endingWith({ n: 1 }), ended_at_ms: 5 },
    { ...job(2), state: 'running', started_at_ms: 3 },
    job(3),
  ]

  accept(4)
  store.trigger.loaded({ jobs: kept, at_ms: 900 })
  store.trigger.loaded({ jobs: kept, at_ms: 901 })

  const [done, ran, waited] = list().jobs
  assert.deepEqual(done, kept[0])
  for (const each of [ran, waited])
    assert.deepEqual([each?.state, each?.fault?.code, each?.ended_at_ms], ['interrupted', 'job.interrupted', 900])
  assert.match(String(ran?.fault?.detail), /stopped.*start it again/)
  assert.deepEqual([list().jobs.length, wanted()], [4, ['a-4']])
  assert.ok(!isFault(list()))
})

test('jobs of this run are moved when the clock is set, and those of earlier runs are not', () => {
  const { store, list, accept, start, end } = jobs()
  const kept: Job[] = [
    { ...job(1), ...endingWith({ n: 1 }), ended_at_ms: 5 },
    { ...job(2), state: 'running', created_at_ms: 2, started_at_ms: 3 },
  ]
  accept(3)
  start(3)
  end(3)
  store.trigger.loaded({ jobs: kept, at_ms: 900 })
  const [done, found, own] = list().jobs as readonly [Job, Job, Job]

  store.trigger.clockSet({ by_ms: 1_000_000 })

  const later = (at_ms: number | null) => Number(at_ms) + 1_000_000
  assert.deepEqual(list().jobs, [
    done,
    { ...found, ended_at_ms: later(found.ended_at_ms) },
    {
      ...own,
      created_at_ms: later(own.created_at_ms),
      started_at_ms: later(own.started_at_ms),
      ended_at_ms: later(own.ended_at_ms),
    },
  ])
})
