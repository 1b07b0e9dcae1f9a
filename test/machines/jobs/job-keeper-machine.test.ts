// The keeper of jobs as a machine: every order is answered once, in turn, and what is not on disk yet is not forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { jobExample } from '../../../machines/jobs/job.ts'
import { jobKeeperMachine } from '../../../machines/jobs/job-keeper-machine.ts'
import { MAX_ORDERS } from '../../../machines/supervision/order-queue.ts'
import { repliesIn, type Sample, type Step, walk } from '../../support/walk.ts'

const full = { code: 'storage.full', detail: 'no room' } as const

interface Context {
  readonly waiting: readonly { readonly ask: number }[]
  readonly isStale: boolean
  readonly fault: unknown
}

test('on all paths each order is answered once and in turn, and the keeper never ends', () => {
  const walked = walk(jobKeeperMachine, {
    samples: [
      { type: 'job.start', ask: 1, kind: 'measure', resource_ref: {}, work: {} },
      { type: 'job.remove', ask: 2, id: 'a-1' },
      { type: 'xstate.error.actor.loadJobs', error: full },
      { type: 'xstate.done.actor.carryOut', output: jobExample },
      { type: 'xstate.error.actor.carryOut', error: full },
      { type: 'xstate.error.actor.saveJobs', error: full },
    ],
    sameAs: ({ context }) => [context.waiting.length, context.isStale, context.fault === null],
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions)
      const [waiting, now] = [before, snapshot].map((each) => (each?.context as Context | undefined)?.waiting ?? [])
      const isOrder = event.type.startsWith('job.')
      const isAnswer = event.type.endsWith('.actor.carryOut')
      assert.equal(replies.length, isAnswer || (isOrder && waiting?.length === MAX_ORDERS) ? 1 : 0)
      if (isAnswer) assert.equal(replies[0]?.ask, waiting?.[0]?.ask)
      if (isOrder && replies[0]) assert.equal(replies[0].outcome, 'refused')
      assert.ok((now?.length ?? 0) <= MAX_ORDERS)
      assert.equal(snapshot.status, 'active')
      if (snapshot.matches('ready'))
        assert.deepEqual(snapshot.context, { waiting: [], carried: [], isStale: false, fault: null })
      if (snapshot.matches('unsaved')) assert.ok((snapshot.context as Context).fault)
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['deciding', 'loading', 'ordering', 'ready', 'saving', 'unsaved'])
})

test('an order repeated while the first waits for the disk is done once, and answered like the first', () => {
  const one = (fingerprint: string) => ({ request: { key: 'one', fingerprint } })
  const start = { type: 'job.start', kind: 'measure', resource_ref: {}, work: {} }
  const remove = { type: 'job.remove', id: 'a-1', request: { key: 'two', fingerprint: 'same' } }
  let [snapshot] = initialTransition(jobKeeperMachine)
  const send = (...events: readonly Sample[]) => {
    const actions: Step['actions'][number][] = []
    for (const event of events) {
      const [next, executed] = transition(jobKeeperMachine, snapshot, event as never)
      snapshot = next
      actions.push(...executed)
    }
    const replies = repliesIn(actions).map((reply) => [
      reply.ask,
      reply.outcome === 'done' ? (reply.value as { id: string } | undefined)?.id : reply.fault.code,
    ])
    return { replies, asked: snapshot.context.waiting.map(({ ask }) => ask) }
  }
  send({ type: 'xstate.done.actor.loadJobs' }, { type: 'xstate.done.actor.saveJobs' })
  send({ ...start, ask: 1, ...one('same') }, { ...start, ask: 2, ...one('same') })
  send({ ...start, ask: 3, ...one('another') }, { ...remove, ask: 4 }, { ...remove, ask: 5 }, { ...start, ask: 6 })
  const accepted = { type: 'xstate.done.actor.carryOut', output: jobExample }

  const started = send(accepted)
  const removed = send({ type: 'xstate.done.actor.carryOut' })

  assert.deepEqual(started, {
    replies: [
      [1, jobExample.id],
      [2, jobExample.id],
      [3, 'request_id.reused'],
    ],
    asked: [4, 5, 6],
  })
  assert.deepEqual(removed, {
    replies: [
      [4, undefined],
      [5, undefined],
    ],
    asked: [6],
  })
})

test('an order that was not carried out is tried again when it is repeated', () => {
  const start = {
    type: 'job.start',
    kind: 'measure',
    resource_ref: {},
    work: {},
    request: { key: 'one', fingerprint: 'same' },
  }
  let [snapshot] = initialTransition(jobKeeperMachine)
  for (const event of [
    { type: 'xstate.done.actor.loadJobs' },
    { type: 'xstate.done.actor.saveJobs' },
    { ...start, ask: 1 },
    { ...start, ask: 2 },
    { type: 'xstate.error.actor.carryOut', error: full },
  ])
    [snapshot] = transition(jobKeeperMachine, snapshot, event as never)

  assert.deepEqual([snapshot.value, snapshot.context.waiting.map(({ ask }) => ask)], ['ordering', [2]])
})
