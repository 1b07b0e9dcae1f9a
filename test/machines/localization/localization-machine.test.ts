// Whether anybody knows where the robot is, as a machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { type LocalizationEvent, localizationMachine } from '../../../machines/localization/localization-machine.ts'
import { walk } from '../../support/walk.ts'

const enabled = { type: 'config.changed', isEnabled: true } as const
const disabled = { type: 'config.changed', isEnabled: false } as const
const usable = { type: 'streams.changed', isAnyUsable: true } as const
const unusable = { type: 'streams.changed', isAnyUsable: false } as const
const solved = { type: 'round.solved' } as const
const fresh = { type: 'odometry.fresh' } as const
const noTags = { type: 'xstate.after.tracked.localization.tracking' } as never
const noTagsStill = { type: 'xstate.after.coasted.localization.coasting' } as never

const CLEARS = ['config.changed', 'map.changed', 'mounts.changed']

/** The state after each event, from the start. */
const statesAfter = (...events: readonly (LocalizationEvent | never)[]): readonly unknown[] => {
  let [snapshot] = initialTransition(localizationMachine)
  return events.map((event) => {
    ;[snapshot] = transition(localizationMachine, snapshot, event)
    return snapshot.value
  })
}

test('localization is walked over all its paths: no place is known without cameras, or after other settings', () => {
  walk(localizationMachine, {
    samples: [enabled, disabled, usable, unusable],
    check: ({ before, event, snapshot: { value, context }, actions }) => {
      const clears = actions.some(({ type }) => type === 'clearHistory')
      const isOff = before === undefined || before.value === 'off'
      if (event === disabled) assert.equal(value, 'off')
      else if (isOff && event !== enabled) assert.equal(value, 'off')
      else assert.notEqual(value, 'off')
      if (value !== 'off') assert.equal(value === 'waiting', !context.isAnyUsable)
      if (value === 'tracking') assert.ok(event.type === 'round.solved' || before?.value === 'tracking')
      if (value === 'coasting') assert.ok(context.isOdometryFresh)
      if (clears) assert.ok(CLEARS.includes(event.type) && value !== 'tracking' && value !== 'coasting')
      if (CLEARS.includes(event.type) && !isOff) assert.ok(clears)
    },
  })
})

test('a robot is lost until a round shows where it is, and again 0.3 s after the last', () => {
  assert.deepEqual(statesAfter(enabled, usable, solved, solved, noTags, solved), [
    ...['waiting', 'lost', 'tracking', 'tracking', 'lost', 'tracking'],
  ])
})

test('with odometry the place is carried on, until 3 s have passed, odometry ends or it is unsure by a metre', () => {
  const coasting = [enabled, usable, fresh, solved, noTags]

  assert.equal(statesAfter(...coasting).at(-1), 'coasting')
  assert.equal(statesAfter(...coasting, noTagsStill).at(-1), 'lost')
  assert.equal(statesAfter(...coasting, { type: 'odometry.stale' }).at(-1), 'lost')
  assert.equal(statesAfter(...coasting, { type: 'fused.unsure' }).at(-1), 'lost')
  assert.equal(statesAfter(...coasting, solved).at(-1), 'tracking')
})

test('each round begins the 0.3 s again', () => {
  let [snapshot] = initialTransition(localizationMachine)
  for (const event of [enabled, usable, solved]) [snapshot] = transition(localizationMachine, snapshot, event)

  const [, actions] = transition(localizationMachine, snapshot, solved)

  assert.deepEqual(
    actions.map(({ type }) => type),
    ['xstate.cancel', 'xstate.raise'],
  )
})

test('other settings and no camera end what is known; while it is off, what happens is only noted', () => {
  const tracking = [enabled, usable, solved]

  for (const type of ['map.changed', 'mounts.changed'] as const)
    assert.deepEqual(statesAfter(...tracking, { type }).at(-1), 'lost')
  assert.equal(statesAfter(...tracking, unusable).at(-1), 'waiting')
  assert.equal(statesAfter(...tracking, disabled).at(-1), 'off')
  assert.deepEqual(statesAfter(usable, { type: 'map.changed' }, solved, enabled), ['off', 'off', 'off', 'lost'])
})
