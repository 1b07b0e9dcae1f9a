// Asking an actor: every question gets exactly one answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor, emit, setup } from 'xstate'
import { ask } from '../../actors/ask.ts'
import type { Reply } from '../../machines/fault.ts'

const clerkMachine = setup({
  types: { emitted: {} as Reply, events: {} as { type: string; ask: number; word?: string } },
}).createMachine({
  id: 'clerk',
  initial: 'open',
  states: {
    open: {
      on: {
        'word.echo': {
          actions: emit(({ event }) => ({ type: 'reply', ask: event.ask, outcome: 'done', value: event.word })),
        },
        'word.ponder': {},
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

test('the reply comes to the one who asked', async () => {
  const actor = clerk()

  const replies = await Effect.runPromise(
    Effect.all(
      [ask<string>(actor, { type: 'word.echo', word: 'a' }), ask<string>(actor, { type: 'word.echo', word: 'b' })],
      {
        concurrency: 'unbounded',
      },
    ),
  )

  assert.deepEqual(
    replies.map((reply) => reply.outcome === 'done' && reply.value),
    ['a', 'b'],
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
