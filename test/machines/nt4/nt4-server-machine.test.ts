// The embedded server: wanted or not, listening or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { type Nt4ServerEvent, nt4ServerMachine, nt4ServerStatus } from '../../../machines/nt4/nt4-server-machine.ts'
import { type Step, walk } from '../../support/walk.ts'

const at = { host: '127.0.0.1', port: 5810 }
const taken = { code: 'nt4.port_taken', detail: 'another program listens there' }

const said = ({ actions }: Step, type: string) =>
  actions.filter(({ params }) => (params as { event?: { type: string } } | undefined)?.event?.type === type).length

test('the server is walked over all its paths: it says when it listens', () => {
  walk(nt4ServerMachine, {
    input: { target: 'serve' },
    samples: [
      ...['off', 'serve', 'serve:127.0.0.1:0', 'team:1234', 'nonsense:'].map((target) => ({
        type: 'target.set',
        target,
      })),
      { type: 'server.bound', at },
      { type: 'xstate.error.actor.holdServer', error: taken },
    ],
    check: (step) => {
      const isUp = nt4ServerStatus(step.snapshot).state === 'listening'
      const wasUp = step.before ? nt4ServerStatus(step.before).state === 'listening' : false
      assert.equal(isUp, nt4ServerStatus(step.snapshot).address !== null)
      if (isUp && !wasUp) assert.equal(said(step, 'server.listening'), 1)
      else if (!isUp) assert.equal(said(step, 'server.listening'), 0)
    },
  })
})

test('a taken port is shown and tried again later', () => {
  const [binding] = initialTransition(nt4ServerMachine, { target: 'serve' })

  const [failed] = transition(nt4ServerMachine, binding, {
    type: 'xstate.error.actor.holdServer',
    error: taken,
  } as unknown as Nt4ServerEvent)
  const [again] = transition(nt4ServerMachine, failed, { type: 'xstate.after.backOff.nt4-server.backing-off' } as never)

  assert.deepEqual(nt4ServerStatus(failed), { state: 'backing-off', address: null, fault: taken })
  assert.equal(nt4ServerStatus(again).state, 'binding')
})
