import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { extcamPortMachine } from '../../../machines/extcam/extcam-port-machine.ts'
import { walk } from '../../support/walk.ts'

const address = { host: '127.0.0.1', port: 5807 }
const taken = { code: 'extcam.port_taken', detail: 'port 5807 is taken' } as const
const failed = { type: 'xstate.error.actor.serve', error: taken }

test('a port is walked over all its paths, and says why it is refused', () => {
  walk(extcamPortMachine, {
    samples: [{ type: 'port.bound', address }, failed],
    check: ({ snapshot }) => {
      assert.equal(snapshot.context.fault !== null && snapshot.matches({ open: 'listening' }), false)
      if (snapshot.matches('refused')) assert.deepEqual(snapshot.context.fault, taken)
    },
  })
})

test('a refused port is tried again after 15 s, and still says why meanwhile', () => {
  const [binding] = initialTransition(extcamPortMachine)
  const [refused] = transition(extcamPortMachine, binding, failed as never)

  const [again] = transition(extcamPortMachine, refused, { type: 'xstate.after.retry.extcam-port.refused' } as never)
  const [bound] = transition(extcamPortMachine, again, { type: 'port.bound', address })

  assert.deepEqual(again.value, { open: 'binding' })
  assert.deepEqual(again.context.fault, taken)
  assert.deepEqual([bound.value, bound.context.fault, bound.context.address], [{ open: 'listening' }, null, address])
})
