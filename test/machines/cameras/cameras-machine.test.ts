// Looking for cameras, as a machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { camerasMachine } from '../../../machines/cameras/cameras-machine.ts'
import { walk } from '../../support/walk.ts'

const looked = (again: boolean) => ({ type: 'xstate.done.actor.lookForCameras', output: { again } }) as never
const changed = { type: 'folder.changed' } as const

const after = (...events: readonly never[]) =>
  events.reduce(
    (snapshot, event) => transition(camerasMachine, snapshot, event)[0],
    initialTransition(camerasMachine)[0],
  )

test('whatever comes and goes, it looks again, and says why when it cannot', () => {
  const walked = walk(camerasMachine, {
    samples: [
      changed,
      { type: 'xstate.done.actor.lookForCameras', output: { again: true } },
      { type: 'xstate.done.actor.lookForCameras', output: { again: false } },
      { type: 'xstate.error.actor.lookForCameras', error: { code: 'device.failed', detail: 'it may not' } },
    ],
    check: ({ snapshot }) => {
      assert.equal(snapshot.status, 'active')
      if (snapshot.matches('failed')) assert.ok(snapshot.context.fault)
      if (snapshot.matches('watching')) assert.equal(snapshot.context.fault, null)
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['failed', 'looking', 'settling', 'watching'])
})

test('what is plugged in during a look is looked at after it', () => {
  assert.equal(after(changed as never, looked(false)).value, 'settling')
  assert.equal(after(looked(false)).value, 'watching')
})

test('a device that does not answer yet is asked again in a moment, but not for ever', () => {
  const settled = { type: 'xstate.after.settled.cameras.settling' } as never
  const tries = Array.from({ length: 8 }, () => [looked(true), settled]).flat()

  assert.equal(after(...tries).value, 'looking')
  assert.equal(after(...tries, looked(true)).value, 'watching')
})
