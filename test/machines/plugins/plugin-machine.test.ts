// The program of a plugin: what follows on a crash, and when it is given up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import { MAX_PLUGIN_CRASHES, pluginMachine, pluginStateName } from '../../../machines/plugins/plugin-machine.ts'
import { type Sample, type Step, walk } from '../../support/walk.ts'

const crash: Fault = { code: 'plugin.failed', detail: 'It stopped (exit code 1).' }
const crashed: Sample = { type: 'xstate.error.actor.runProgram', error: crash }
const ready: Sample = { type: 'program.ready' }

const after = (...events: readonly Sample[]) =>
  events.reduce(
    (snapshot, event) => transition(pluginMachine, snapshot, event as never)[0],
    initialTransition(pluginMachine)[0],
  )

test('the program is walked over all its paths: it runs while it is up, and what is wrong with it is said', () => {
  walk(pluginMachine, {
    samples: [crashed],
    check: ({ snapshot, actions }: Step) => {
      const state = pluginStateName(snapshot)
      assert.equal(snapshot.children.runProgram !== undefined, state === 'starting' || state === 'running', state)
      assert.equal(snapshot.status === 'done', state === 'given-up')
      if (state === 'running') assert.equal(snapshot.context.fault, null)
      if (state === 'waiting' || state === 'given-up') assert.equal(snapshot.context.fault?.code, 'plugin.failed')
      if (state === 'given-up') assert.equal(snapshot.context.crashes, MAX_PLUGIN_CRASHES)
      assert.equal(actions.filter(({ type }) => type === 'record').length <= 1, true)
    },
  })
})

/** Ends of waits, as their machine has them. */
const waited: Sample = { type: 'xstate.after.pause.plugin.waiting' }
const ranWell: Sample = { type: 'xstate.after.goodRun.plugin.up.running' }
const tooLate: Sample = { type: 'xstate.after.readyLimit.plugin.up.starting' }

const times = (count: number, ...events: readonly Sample[]) => Array.from({ length: count }, () => events).flat()

test('a program that crashes five times in a row is given up', () => {
  const almost = after(...times(MAX_PLUGIN_CRASHES - 1, ready, crashed, waited))
  const over = after(...times(MAX_PLUGIN_CRASHES - 1, ready, crashed, waited), ready, crashed)

  assert.deepEqual([pluginStateName(almost), pluginStateName(over)], ['starting', 'given-up'])
})

test('a good run between two crashes makes the next the first again', () => {
  const often = after(...times(3 * MAX_PLUGIN_CRASHES, ready, ranWell, crashed, waited))

  assert.deepEqual([pluginStateName(often), often.context.crashes], ['starting', 1])
})

test('a program that does not say that it is ready has crashed', () => {
  const late = after(tooLate)

  assert.equal(pluginStateName(late), 'waiting')
  assert.match(late.context.fault?.detail ?? '', /did not say that it is ready within 30 s/)
})
