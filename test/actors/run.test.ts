// The bridge between Effect and machines: what ends when, and who notices a throw.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type AnyActorLogic, createActor, setup } from 'xstate'
import { endEffects, fromEffect, fromScoped, within } from '../../actors/run.ts'
import { needed } from '../../machines/effects.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { settle, untilState } from '../support/clock/clock.ts'

const broken: Fault = { code: 'camera.lost', detail: 'the lamp is broken' }

const lampMachine = setup({
  actors: { shine: needed<string>('shine') },
}).createMachine({
  id: 'lamp',

  initial: 'on',
  states: {
    on: {
      invoke: { id: 'shine', src: 'shine', onDone: 'burnt', onError: 'faulty' },
      on: { off: 'off', 'lamp.flickered': 'flickering', again: { target: 'on', reenter: true } },
    },
    flickering: { on: { off: 'off' } },
    off: { on: { on: 'on', 'lamp.flickered': 'flickering' } },
    burnt: {},
    faulty: { on: { again: 'on' } },
  },
})

const started = (shine: AnyActorLogic) => {
  const actor = createActor(lampMachine.provide({ actors: { shine: shine as never } }))
  const seen: { crash?: unknown } = {}
  actor.subscribe({
    error: (error) => {
      seen.crash = error
    },
  })
  actor.start()
  return { actor, seen }
}

test('the answer of a program is the effect being done, its fault the effect failing', async () => {
  const { actor: done } = started(fromEffect(() => Effect.succeed('light')))
  const { actor: failed } = started(fromEffect<string>(() => Effect.fail(broken)))
  await settle()

  assert.equal(done.getSnapshot().value, 'burnt')
  assert.equal(failed.getSnapshot().value, 'faulty')
})

test('a bug in a program crashes the actor, whatever the machine does about faults', async () => {
  const { actor, seen } = started(
    fromEffect<string>(() =>
      Effect.sync(() => {
        throw new TypeError('no filament')
      }),
    ),
  )
  await settle()

  assert.equal(actor.getSnapshot().status, 'error')
  assert.match(String(seen.crash), /no filament/)
})

test('a program that does not even begin crashes the actor', async () => {
  const { actor } = started(
    fromEffect<string>(() => {
      throw new TypeError('no filament')
    }),
  )
  await settle()

  assert.equal(actor.getSnapshot().status, 'error')
})

test('leaving the state interrupts the program and closes its scope', async () => {
  const closed: string[] = []
  const { actor } = started(
    fromScoped(() =>
      Effect.andThen(
        Effect.addFinalizer(() =>
          Effect.sync(() => {
            closed.push('lamp')
          }),
        ),
        Effect.never,
      ),
    ),
  )

  actor.send({ type: 'off' })
  await settle()

  assert.deepEqual(closed, ['lamp'])
})

test('a program that is started again waits until the one before has released what it held', async () => {
  const order: string[] = []
  let release = () => {}
  const { actor } = started(
    fromScoped(() =>
      Effect.gen(function* () {
        order.push('acquired')
        yield* Effect.addFinalizer(() =>
          Effect.callback<void>((resume) => {
            release = () => {
              order.push('released')
              resume(Effect.void)
            }
          }),
        )
        return yield* Effect.never
      }),
    ),
  )

  actor.send({ type: 'again' })
  await settle()
  assert.deepEqual(order, ['acquired'])
  release()
  await settle()

  assert.deepEqual(order, ['acquired', 'released', 'acquired'])
})

test('a scoped program sends facts to its machine, and none after the state was left', async () => {
  let late = (_event: { type: 'lamp.flickered' }) => {}
  const { actor } = started(
    fromScoped((_input, { send }) => {
      late = send
      return Effect.never
    }),
  )

  actor.send({ type: 'off' })
  late({ type: 'lamp.flickered' })
  assert.equal(actor.getSnapshot().value, 'off')
  actor.send({ type: 'on' })
  await settle()
  late({ type: 'lamp.flickered' })

  assert.equal(actor.getSnapshot().value, 'flickering')
})

test('a late throw in a guarded listener crashes the actor, not the process', async () => {
  const socket = new EventEmitter()
  const { actor, seen } = started(
    fromScoped((_input, { guard }) => {
      socket.on(
        'message',
        guard((text: string) => {
          throw new SyntaxError(`cannot read ${text}`)
        }),
      )
      return Effect.never
    }),
  )

  socket.emit('message', 'garbage')

  assert.equal(actor.getSnapshot().status, 'error')
  assert.match(String(seen.crash), /cannot read garbage/)
})

test('ending the effects of a crashed actor interrupts them, and no other starts', async () => {
  let held = 0
  const { actor } = started(
    fromScoped(() =>
      Effect.andThen(
        Effect.acquireRelease(
          Effect.sync(() => {
            held += 1
          }),
          () =>
            Effect.sync(() => {
              held -= 1
            }),
        ),
        Effect.never,
      ),
    ),
  )
  await settle()
  assert.equal(held, 1)

  await Effect.runPromise(endEffects(actor))
  actor.send({ type: 'again' })
  await settle()

  assert.equal(held, 0)
})

test('a program that takes too long ends with the fault it was given', async () => {
  const { actor } = started(fromEffect<string>(() => Effect.never.pipe(within('1 millis', broken))))
  const { value } = await untilState(actor, (snapshot) => snapshot.value !== 'on')

  assert.equal(value, 'faulty')
})
