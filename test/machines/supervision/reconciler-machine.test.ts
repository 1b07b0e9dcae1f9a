// What runs is kept in step with what is wanted: when a pass is made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getNextSnapshot, initialTransition, transition } from 'xstate'
import { reconcilerMachine } from '../../../machines/supervision/reconciler-machine.ts'
import { walk } from '../../support/walk.ts'

const fault = { code: 'child.stuck', detail: 'no' }
const changed = { type: 'wanted.changed' } as const
const restart = { type: 'child.restart', ask: 7, id: 'streams/front' } as const
const passed = (...faults: object[]) => ({ type: 'xstate.done.actor.runPass', output: faults }) as never

test('all paths of the reconciler', () => {
  walk(reconcilerMachine, {
    samples: [
      restart,
      { type: 'xstate.done.actor.runPass', output: [] },
      { type: 'xstate.done.actor.runPass', output: [fault] },
      { type: 'xstate.error.actor.runPass', error: fault },
    ],
    check: ({ snapshot }) => {
      assert.notEqual(snapshot.value, 'settled', 'it is only passed through')
      if (snapshot.value === 'in-step') assert.equal(snapshot.context.fault, null)
      if (snapshot.value === 'incomplete') assert.ok(snapshot.context.fault)
      if (snapshot.value !== 'reconciling') assert.deepEqual(snapshot.context.requested, [])
    },
  })
})

const begun = () => initialTransition(reconcilerMachine)[0]

test('changes during a pass lead to one more', () => {
  let snapshot = begun()
  for (const _ of [1, 2, 3]) snapshot = getNextSnapshot(reconcilerMachine, snapshot, changed)
  assert.equal(snapshot.value, 'reconciling')

  snapshot = getNextSnapshot(reconcilerMachine, snapshot, passed())
  assert.equal(snapshot.value, 'reconciling')
  snapshot = getNextSnapshot(reconcilerMachine, snapshot, passed())
  assert.equal(snapshot.value, 'in-step')
})

test('a change is reconciled at once, also while something is tried again every 15 s', () => {
  const inStep = getNextSnapshot(reconcilerMachine, begun(), passed())
  const incomplete = getNextSnapshot(reconcilerMachine, begun(), passed(fault))

  assert.equal(incomplete.value, 'incomplete')
  assert.equal(getNextSnapshot(reconcilerMachine, inStep, changed).value, 'reconciling')
  assert.equal(getNextSnapshot(reconcilerMachine, incomplete, changed).value, 'reconciling')
})

test('a restart is answered at once and done by the next pass, and by that one alone', () => {
  const [asked, actions] = transition(reconcilerMachine, begun(), restart)
  const [next] = transition(reconcilerMachine, asked, passed())
  const [after] = transition(reconcilerMachine, getNextSnapshot(reconcilerMachine, next, passed()), changed)

  assert.deepEqual(
    actions.flatMap(({ params }) => (params && 'event' in params ? [params.event] : [])),
    [{ type: 'reply', ask: 7, outcome: 'done' }],
  )
  assert.deepEqual([asked.context.restarting, next.context.restarting], [[], ['streams/front']])
  assert.deepEqual(after.context.restarting, [])
})
