// What a machine leaves to its actor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActor, setup } from 'xstate'
import { type ActionBodies, providedAction } from '../../machines/effects.ts'

const bellActions = {
  ring: providedAction(),
  say: providedAction<string>(),
}

const bellMachine = setup({
  types: { context: {} as { readonly rings: number }, events: {} as { readonly type: 'pressed' } },
  actions: bellActions,
}).createMachine({
  context: { rings: 3 },
  on: { pressed: { actions: ['ring', { type: 'say', params: 'come in' }] } },
})

type BellActions = ActionBodies<typeof bellActions, typeof bellMachine>

test('an action that an actor provides sees the context and the event, and gets its parameter', () => {
  const heard: unknown[] = []
  const actions = {
    ring: ({ context, event }) => void heard.push(context.rings, event.type),
    say: (_, words) => void heard.push(words),
  } satisfies BellActions

  createActor(bellMachine.provide({ actions })).start().send({ type: 'pressed' })

  assert.deepEqual(heard, [3, 'pressed', 'come in'])
})

test('a machine whose actions have no bodies can be walked by itself', () => {
  const actor = createActor(bellMachine).start()

  actor.send({ type: 'pressed' })

  assert.equal(actor.getSnapshot().status, 'active')
})

test('an actor that leaves an action out does not compile', () => {
  // @ts-expect-error: `say` has no body
  const actions = { ring: () => {} } satisfies BellActions

  assert.deepEqual(Object.keys(actions), ['ring'])
})
