// A child without which the service does not start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { setup } from 'xstate'
import { fromEffect } from '../../actors/run.ts'
import { needed } from '../../machines/effects.ts'
import type { Fault } from '../../machines/fault.ts'
import { birth } from '../../supervisors/birth.ts'
import { Lives } from '../../supervisors/lives.ts'
import { makeSupervisor } from '../../supervisors/supervisor.ts'

const jammed: Fault = { code: 'door.jammed', detail: 'the door is jammed' }

/** Opens, or ends crashed. */
const doorMachine = setup({
  types: { output: {} as { outcome: 'crashed'; fault: Fault } },
  actors: { open: needed<void>('open') },
}).createMachine({
  id: 'door',
  initial: 'opening',
  output: { outcome: 'crashed', fault: jammed },
  states: {
    opening: { invoke: { id: 'open', src: 'open', onDone: 'open', onError: 'crashed' } },
    open: {},
    crashed: { type: 'final' },
  },
})

/** Bears a door whose attempts to open end like this, one after the other. */
const borne = (attempts: readonly Effect.Effect<void, Fault>[]) =>
  Effect.gen(function* () {
    const lives = new Lives()
    const seen: string[] = []
    lives.subscribe(({ type }) => seen.push(type))
    const supervisor = yield* makeSupervisor(lives.tell)
    let next = 0
    const incarnate = Effect.sync(() => ({
      logic: doorMachine.provide({ actors: { open: fromEffect(() => attempts[next++] ?? Effect.never) } }),
    }))
    const fault = yield* birth({ supervisor, lives }, { id: 'door', incarnate }, (snapshot) =>
      snapshot.matches('open'),
    ).pipe(Effect.match({ onFailure: (fault) => fault, onSuccess: () => undefined }))
    return { fault, seen, children: supervisor.children() }
  }).pipe(Effect.scoped, Effect.runPromise)

test('birth is over when the child is ready', async () => {
  const { fault, children } = await borne([Effect.delay(Effect.void, '5 millis')])

  assert.equal(fault, undefined)
  assert.deepEqual(
    children.map(({ state }) => state),
    ['running'],
  )
})

test('a child whose first life ends before it is ready is not tried again', async () => {
  const { fault, seen, children } = await borne([Effect.fail(jammed), Effect.void])

  assert.deepEqual(fault, { ...jammed, resource: 'door' })
  assert.deepEqual(seen, ['started', 'crashed', 'stopped'])
  assert.deepEqual(children, [])
})

test('a child that cannot even be made ready to live fails with that', async () => {
  const lives = new Lives()
  const failing = Effect.gen(function* () {
    const supervisor = yield* makeSupervisor(lives.tell)
    return yield* birth({ supervisor, lives }, { id: 'door', incarnate: Effect.fail(jammed) }, () => true)
  }).pipe(Effect.scoped, Effect.flip, Effect.runPromise)

  assert.deepEqual(await failing, { ...jammed, resource: 'door' })
})
