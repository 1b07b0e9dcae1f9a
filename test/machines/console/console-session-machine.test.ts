// One console session as a machine: somebody is attached or nobody is, and its end is told once, when all is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate'
import { consoleSessionMachine } from '../../../machines/console/console-session-machine.ts'
import type { ConsoleEnding } from '../../../machines/console/session.ts'
import { type Sample, walk } from '../../support/walk.ts'

const exited = { type: 'xstate.done.actor.runProgram', output: { exitCode: 0, signal: null } }
const broken = {
  type: 'xstate.error.actor.runProgram',
  error: { code: 'console.failed', detail: 'No terminal can be had: no reason.' },
}

test('on all paths a session ends once, and not before its program is gone', () => {
  const walked = walk(consoleSessionMachine, {
    samples: [exited, broken],
    check: ({ before, event, snapshot, actions }) => {
      const ends = actions.filter(({ type }) => type === 'showEnd').map(({ params }) => params as ConsoleEnding)
      assert.equal(ends.length, snapshot.status === 'done' ? 1 : 0)
      if (snapshot.status !== 'done') return
      // by itself, or after it was waited for
      assert.ok(/\.(runProgram|waitUntilGone)$/.test(event.type), event.type)
      assert.equal(before?.matches('alive'), event.type.endsWith('runProgram'))
      assert.notEqual(ends[0]?.reason, 'stopped')
    },
  })

  assert.deepEqual([...walked.reached].sort(), [
    'alive',
    'alive.detached',
    'alive.open',
    'alive.starting',
    'ended',
    'ending',
  ])
})

/** The state after these events, what was shown on the way, and how it ended. */
const after = (...events: readonly (string | Sample)[]) => {
  let [snapshot] = initialTransition(consoleSessionMachine) as [AnyMachineSnapshot, unknown]
  const shown: unknown[] = []
  for (const event of events) {
    const [next, actions] = transition(
      consoleSessionMachine,
      snapshot as never,
      (typeof event === 'string' ? { type: event } : event) as never,
    )
    snapshot = next
    shown.push(...actions.filter(({ type }) => type.startsWith('show')).map(({ params }) => params))
  }
  return { value: snapshot.value, shown }
}

const gone = 'xstate.done.actor.waitUntilGone'

test('who attaches before the program runs has it as soon as it does', () => {
  const { value, shown } = after('console.attached', 'program.started')

  assert.deepEqual(value, { alive: 'open' })
  assert.deepEqual(shown, ['detached', 'open'])
})

test('without a viewer a session ends after a quarter of an hour, without anything typed after an hour', () => {
  const detached = 'xstate.after.detachedLimit.console-session.alive.detached'
  const idle = 'xstate.after.idleLimit.console-session.alive.open'

  assert.deepEqual(after('program.started', detached, gone).shown.at(-1), { reason: 'abandoned' })
  assert.deepEqual(after('program.started', 'console.attached', idle, gone).shown.at(-1), { reason: 'idle' })
})

test('one that is ended while it starts does not begin, and a program that cannot be started says why', () => {
  assert.deepEqual(after('session.end', 'program.started', gone).shown, ['ending', { reason: 'deleted' }])
  assert.deepEqual(after(broken).shown, [{ reason: 'failed', detail: broken.error.detail }])
})

test('leaving and coming back is as it was', () => {
  const back = ['console.attached', 'console.detached', 'console.attached']

  assert.deepEqual(after('program.started', ...back).value, { alive: 'open' })
  assert.deepEqual(after('program.started', ...back, 'console.typed', 'console.detached').value, { alive: 'detached' })
})
