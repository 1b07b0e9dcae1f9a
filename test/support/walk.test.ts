// The walk itself can fail: a machine with each of the flaws it looks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assign, createMachine, emit, setup } from 'xstate'
import { needed } from '../../machines/effects.ts'
import { walk } from './walk.ts'

const door = setup({
  types: { events: {} as { type: 'open' } | { type: 'lock'; code: number }, context: {} as { code: number } },
  actors: { turnKey: needed<string>('turnKey') },
}).createMachine({
  id: 'door',
  context: { code: 0 },
  initial: 'closed',
  states: {
    closed: {
      on: { open: 'opened', lock: { target: 'locking', actions: assign({ code: ({ event }) => event.code }) } },
    },
    locking: { invoke: { id: 'turnKey', src: 'turnKey', onDone: 'locked', onError: 'closed' } },
    locked: { on: { open: 'deciding' } },
    deciding: { always: [{ guard: ({ context }) => context.code === 1, target: 'opened' }, { target: 'closed' }] },
    opened: { after: { 1000: 'closed' } },
  },
})

test('a walk reaches every state, also through effects, delays and states that are only passed', () => {
  const walked = walk(door, { samples: [{ type: 'lock', code: 1 }] })

  assert.deepEqual([...walked.reached].sort(), ['closed', 'deciding', 'locked', 'locking', 'opened'])
  assert.equal(walked.configurations, 6)
})

test('a state that no path reaches fails the walk', () => {
  const machine = createMachine({
    initial: 'day',
    states: { day: { on: { x: 'night' } }, night: { on: { x: 'day' } }, dawn: {} },
  })

  assert.throws(() => walk(machine), /states not reached/)
  walk(machine, { unreached: ['dawn'] })
})

test('a state out of which no event leads fails the walk', () => {
  const machine = createMachine({ initial: 'day', states: { day: { on: { x: 'night' } }, night: { on: { x: {} } } } })

  assert.throws(() => walk(machine), /stuck in "night" by start > x/)
})

test('an invariant is checked on each step and sees the actions asked for', () => {
  const machine = createMachine({
    initial: 'day',
    states: { day: { on: { x: { target: 'night', actions: emit({ type: 'dark' }) } } }, night: { on: { x: 'day' } } },
  })
  const emitted: unknown[] = []

  walk(machine, { check: ({ actions }) => emitted.push(...actions) })

  assert.deepEqual(
    emitted.map((action) => (action as { params: { event: unknown } }).params?.event),
    [{ type: 'dark' }],
  )
  assert.throws(
    () => walk(machine, { check: ({ snapshot }) => assert.ok(snapshot.matches('day')) }),
    assert.AssertionError,
  )
})

test('a counter that does not saturate fails the walk', () => {
  const machine = createMachine({
    context: { n: 0 },
    initial: 'day',
    states: { day: { on: { x: { actions: assign({ n: ({ context }) => context.n + 1 }) } } } },
  })

  assert.throws(() => walk(machine), /more than 20000 configurations/)
})

test('a sample that no state handles fails the walk', () => {
  assert.throws(
    () => walk(door, { samples: [{ type: 'lock', code: 1 }, { type: 'lokc' }] }),
    /samples that no state handles/,
  )
})

test('an assign that throws fails the walk', () => {
  const machine = createMachine({
    context: { n: 0 },
    initial: 'day',
    states: {
      day: {
        on: {
          x: {
            target: 'night',
            actions: assign(() => {
              throw new Error('boom')
            }),
          },
        },
      },
      night: { on: { x: 'day' } },
    },
  })

  assert.throws(() => walk(machine), /boom/)
})
