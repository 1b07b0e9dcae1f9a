// The keeper of jobs as a machine: every order is answered once, in turn, and what is not on disk yet is not forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobExample } from '../../../machines/jobs/job.ts'
import { jobKeeperMachine } from '../../../machines/jobs/job-keeper-machine.ts'
import { MOST_ORDERS } from '../../../machines/supervision/order-queue.ts'
import { repliesIn, walk } from '../../support/walk.ts'

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
      assert.equal(replies.length, isAnswer || (isOrder && waiting?.length === MOST_ORDERS) ? 1 : 0)
      if (isAnswer) assert.equal(replies[0]?.ask, waiting?.[0]?.ask)
      if (isOrder && replies[0]) assert.equal(replies[0].outcome, 'refused')
      assert.ok((now?.length ?? 0) <= MOST_ORDERS)
      assert.equal(snapshot.status, 'active')
      if (snapshot.matches('ready')) assert.deepEqual(snapshot.context, { waiting: [], isStale: false, fault: null })
      if (snapshot.matches('unsaved')) assert.ok((snapshot.context as Context).fault)
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['loading', 'ordering', 'ready', 'saving', 'unsaved'])
})
