import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { usbMachine } from '../../../machines/usb/usb-machine.ts'
import { repliesIn, walk } from '../../support/walk.ts'

const fault: Fault = { code: 'usb.not_back', detail: 'it has not come back' }

test('every order is answered once: done, failed, or refused while another is carried out', () => {
  let answers = 0

  walk(usbMachine, {
    samples: [
      { type: 'usb.switch', ask: 1, switch_id: 'usb1', action: 'cycle' },
      { type: 'xstate.error.actor.switchPower', error: fault },
    ],
    sameAs: ({ context }) => (context as { missed: boolean }).missed,
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions)
      answers += replies.length
      const isBusy = before?.matches('switching') || before?.matches('restoring')
      if (event.type === 'usb.switch')
        assert.deepEqual(
          replies.map(({ outcome }) => outcome),
          isBusy ? ['refused'] : [],
          'an order is refused at once, or carried out',
        )
      else if (before?.matches('switching') && !snapshot.matches('switching'))
        assert.equal(replies.length, 1, `${event.type} ends an order without an answer`)
      else assert.equal(replies.length, 0)
    },
  })

  assert.ok(answers > 0)
})
