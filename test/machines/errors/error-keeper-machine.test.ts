// The error keeper as a machine: when it saves, and that it never gives up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorKeeperMachine } from '../../../machines/errors/error-keeper-machine.ts'
import { repliesIn, walk } from '../../support/walk.ts'

test('on all paths a clearing is answered exactly once and the keeper never ends', () => {
  const walked = walk(errorKeeperMachine, {
    samples: [
      { type: 'errors.clear', ask: 1 },
      { type: 'xstate.error.actor.clearErrors', error: { code: 'storage.full', detail: 'no room' } },
      { type: 'xstate.error.actor.saveErrors', error: { code: 'storage.full', detail: 'no room' } },
      { type: 'xstate.error.actor.loadErrors', error: { code: 'storage.failed', detail: 'unreadable' } },
    ],
    check: ({ before, snapshot, actions }) => {
      const replies = repliesIn(actions)
      assert.equal(replies.length, before?.value === 'clearing' && snapshot.value !== 'clearing' ? 1 : 0)
      assert.equal(snapshot.status, 'active')
    },
  })

  assert.deepEqual([...walked.reached].sort(), [
    'clearing',
    'loading',
    'open',
    'open.due',
    'open.resting',
    'open.saved',
    'open.saving',
  ])
})
