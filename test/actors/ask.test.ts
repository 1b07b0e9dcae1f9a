// Asking an actor: every question gets exactly one answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { assign, createActor, emit, enqueueActions, setup } from 'xstate'
import { ask, askNow } from '../../actors/ask.ts'
import type { Reply } from '../../machines/errors/fault.ts'

const clerkMachine = setup({
  types: {
    context: {} as { notes: readonly { ask: number; word?: string }[] },
    emitted: {} as Reply,
    events: {} as { type: string; ask: number; word?: string },
  },
}).createMachine({
  id: 'clerk',
  context: { notes: [] },
  initial: 'open',
  states: {
    open: {
      on: {
        'word.echo': {
          actions: emit(({ event }) => ({ type: 'reply', ask: event.ask, outcome: 'done', value: event.word })),
        },
        'word.note': { actions: assign({ notes: ({ context, event }) => [event, ...context.notes] }) },
        'notes.read': {
          actions: enqueueActions(({ context, enqueue }) => {
            for (const { ask, word } of context.notes)
              enqueue.emit({ type: 'reply', ask, outcome: 'done', value: word })
          }),
        },
        'word.ignore': { actions: () => {} },
        close: 'closed',
        retire: 'retired',
        stumble: {
          actions: () => {
            throw new Error('stumbled')
          },
        },
      },
    },
    closed: {},
    retired: { type: 'final' },
  },
})

const clerk = () => {
  const actor = createActor(clerkMachine)
  actor.subscribe({ error: () => {} })
  return actor.start()
}

test('the reply comes to the one who asked, also when they come in another order', async () => {
  const actor = clerk()

  const asked = ['a', 'b', 'c'].map((word) => askNow(actor, { type: 'word.note', word }))
  actor.send({ type: 'notes.read', ask: 0 })
  const replies = await Promise.all([...asked, askNow(actor, { type: 'word.echo', word: 'd' })])

  assert.deepEqual(
    replies.map((reply) => reply.outcome === 'done' && reply.value),
    ['a', 'b', 'c', 'd'],
  )
})

test('a command that the present state does not take is refused at once', async () => {
  const actor = clerk()
  actor.send({ type: 'close', ask: 0 })

  const reply = await Effect.runPromise(ask(actor, { type: 'word.echo', word: 'a' }))

  assert.ok(reply.outcome === 'refused')
  assert.equal(reply.fault.code, 'actor.not_now')
  assert.match(reply.fault.detail, /word\.echo.*"closed"/)
})

test('an actor that does not answer in time is a fault', async () => {
  const reply = await Effect.runPromise(ask(clerk(), { type: 'word.ignore' }, '1 millis'))

  assert.ok(reply.outcome === 'failed')
  assert.equal(reply.fault.code, 'actor.timeout')
})

for (const way of ['retire', 'stumble']) {
  test(`an actor that ends before it answers is a fault (${way})`, async () => {
    const reply = await Effect.runPromise(ask(clerk(), { type: way }))

    assert.ok(reply.outcome === 'failed')
    assert.equal(reply.fault.code, 'actor.ended')
  })
}

test('an actor that has ended already is not asked', async () => {
  const actor = clerk()
  actor.stop()

  const reply = await Effect.runPromise(ask(actor, { type: 'word.echo', word: 'a' }))

  assert.ok(reply.outcome === 'refused')
})
