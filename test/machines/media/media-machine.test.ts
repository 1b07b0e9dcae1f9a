// The keeper of the media as a machine: in order before anything is ordered, and every order answered once and in turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { mediaMachine } from '../../../machines/media/media-machine.ts'
import { MAX_ORDERS } from '../../../machines/supervision/order-queue.ts'
import { repliesIn, type Sample, type Step, walk } from '../../support/walk.ts'

const full = { code: 'storage.full', detail: 'no room' } as const

interface Context {
  readonly waiting: readonly { readonly ask: number }[]
}

test('on all paths each order is answered once, in turn, when the media are in order; the keeper never ends', () => {
  const walked = walk(mediaMachine, {
    samples: [
      { type: 'media.remove', ask: 1, name: 'a.jpg' },
      { type: 'media.describe', ask: 2, name: 'a.jpg', metadata: {} },
      { type: 'space.changed', fault: full },
      { type: 'space.changed', fault: null },
      { type: 'xstate.error.actor.reconcile', error: full },
      { type: 'xstate.done.actor.carryOut', output: { id: 'a.jpg', revision: 2 } },
      { type: 'xstate.error.actor.carryOut', error: full },
    ],
    sameAs: ({ context }) => [context.waiting.length, context.fault === null],
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions)
      const waiting = (before?.context as Context | undefined)?.waiting ?? []
      const isOrder = event.type.startsWith('media.')
      const isTaken = isOrder && !before?.matches('unreadable')
      const isAnswer = event.type.endsWith('.actor.carryOut')
      const isBroken = event.type === 'xstate.error.actor.reconcile'
      const answered = isBroken ? waiting.length : isAnswer || (isTaken && waiting.length === MAX_ORDERS) ? 1 : 0
      assert.equal(replies.length, answered)
      if (isAnswer) assert.equal(replies[0]?.ask, waiting[0]?.ask)
      if (isBroken)
        assert.deepEqual(
          replies.map((reply) => [reply.ask, reply.outcome]),
          waiting.map(({ ask }) => [ask, 'failed']),
        )
      if (isOrder && replies[0]) assert.equal(replies[0].outcome, 'refused')
      assert.ok((snapshot.context as Context).waiting.length <= MAX_ORDERS)
      assert.equal(snapshot.status, 'active')
      if (snapshot.matches('unreadable')) assert.deepEqual((snapshot.context as Context).waiting, [])
      if (!before?.matches('ready')) for (const { outcome } of replies) assert.notEqual(outcome, 'done')
    },
  })

  assert.deepEqual([...walked.reached].sort(), [
    ...['ready', 'ready.deciding', 'ready.idle', 'ready.ordering', 'reconciling', 'unreadable'],
  ])
})

test('an order that is repeated behind the first, which nobody waits for any more, is carried out once', () => {
  const remove = { type: 'media.remove', name: 'a.jpg' }
  const by = (key: string, fingerprint: string) => ({ request: { key, fingerprint } })
  let [snapshot] = initialTransition(mediaMachine)
  const send = (...events: readonly Sample[]) => {
    const actions: Step['actions'][number][] = []
    for (const event of events) {
      const [next, executed] = transition(mediaMachine, snapshot, event as never)
      snapshot = next
      actions.push(...executed)
    }
    return repliesIn(actions).map((reply) => [
      reply.ask,
      reply.outcome === 'done' ? (reply.value as { revision: number }).revision : reply.fault.code,
    ])
  }
  send({ type: 'xstate.done.actor.reconcile' }, { ...remove, ask: 1, ...by('one', 'same') })
  send({ ...remove, ask: 2, ...by('one', 'same') }, { ...remove, ask: 3, ...by('one', 'another') })
  send({ ...remove, ask: 4, ...by('two', 'same') }, { ...remove, ask: 5, ...by('two', 'same') })

  const done = send({ type: 'xstate.done.actor.carryOut', output: { id: 'a.jpg', revision: 2 } })
  const failed = send({ type: 'xstate.error.actor.carryOut', error: full })

  assert.deepEqual(done, [
    [1, 2],
    [2, 2],
    [3, 'request_id.reused'],
  ])
  assert.deepEqual(failed, [[4, 'storage.full']])
  assert.deepEqual(
    snapshot.context.waiting.map(({ ask }) => ask),
    [5],
    'what was not carried out is tried again',
  )
})
