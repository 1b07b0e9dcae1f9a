// The keeper of the media as a machine: in order before anything is ordered, and every order answered once and in turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediaMachine } from '../../../machines/media/media-machine.ts'
import { MOST_ORDERS } from '../../../machines/supervision/order-queue.ts'
import { repliesIn, walk } from '../../support/walk.ts'

const full = { code: 'storage.full', detail: 'no room' } as const

interface Context {
  readonly waiting: readonly { readonly ask: number }[]
}

test('on all paths each order is answered once and in turn, none is taken before the media are in order, and the keeper never ends', () => {
  const walked = walk(mediaMachine, {
    samples: [
      { type: 'media.remove', ask: 1, name: 'a.jpg' },
      { type: 'media.describe', ask: 2, name: 'a.jpg', metadata: {} },
      { type: 'room.changed', fault: full },
      { type: 'room.changed', fault: null },
      { type: 'xstate.error.actor.reconcile', error: full },
      { type: 'xstate.done.actor.carryOut', output: { name: 'a.jpg', revision: 2 } },
      { type: 'xstate.error.actor.carryOut', error: full },
    ],
    sameAs: ({ context }) => [context.waiting.length, context.fault === null],
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions)
      const waiting = (before?.context as Context | undefined)?.waiting ?? []
      const isOrder = event.type.startsWith('media.') && before?.matches('ready')
      const isAnswer = event.type.endsWith('.actor.carryOut')
      assert.equal(replies.length, isAnswer || (isOrder && waiting.length === MOST_ORDERS) ? 1 : 0)
      if (isAnswer) assert.equal(replies[0]?.ask, waiting[0]?.ask)
      if (isOrder && replies[0]) assert.equal(replies[0].outcome, 'refused')
      assert.ok((snapshot.context as Context).waiting.length <= MOST_ORDERS)
      assert.equal(snapshot.status, 'active')
      if (!snapshot.matches('ready')) assert.deepEqual((snapshot.context as Context).waiting, [])
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['ready', 'ready.idle', 'ready.ordering', 'reconciling', 'unreadable'])
})
