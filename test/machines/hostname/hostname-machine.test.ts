// The name of the device as a machine: every change is answered once, and the name is never guessed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostnameMachine } from '../../../machines/hostname/hostname-machine.ts'
import { repliesIn, walk } from '../../support/walk.ts'

const refused = { code: 'device.failed', detail: 'it may not' } as const

test('on all paths a change is answered exactly once, and the machine never ends', () => {
  const walked = walk(hostnameMachine, {
    samples: [
      { type: 'hostname.set', ask: 1, name: 'front' },
      { type: 'xstate.done.actor.readName', output: 'vedette-7' },
      { type: 'xstate.error.actor.readName', error: refused },
      { type: 'xstate.error.actor.applyName', error: refused },
    ],
    check: ({ before, snapshot, actions }) => {
      const replies = repliesIn(actions)
      assert.equal(replies.length, before?.value === 'applying' && snapshot.value !== 'applying' ? 1 : 0)
      assert.equal(snapshot.status, 'active')
      assert.ok(snapshot.context.fault === null || snapshot.context.name === null)
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['applying', 'idle', 'reading'])
})
