// Starting a child that what comes after it needs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { setup } from 'xstate'
import { fromEffect } from '../../../actors/run.ts'
import { needed } from '../../../machines/effects.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { startAndWait } from '../../../supervisors/supervision/start-and-wait.ts'
import { type LifecycleEvent, makeSupervisor } from '../../../supervisors/supervision/supervisor.ts'

const jammed: Fault = { code: 'http.stopped', detail: 'the door is jammed' }

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

type Door = Effect.Effect<{ readonly logic: typeof doorMachine }, Fault>

const started = (incarnate: Door) =>
  Effect.gen(function* () {
    const lifecycle = new Listeners<LifecycleEvent>()
    const events: string[] = []
    lifecycle.add(({ type }) => events.push(type))
    const listen = (event: LifecycleEvent) => lifecycle.notify(event)
    const supervisor = yield* makeSupervisor({ listen, onBug: () => () => {} })
    const fault = yield* startAndWait({ supervisor, lifecycle }, { id: 'door', incarnate }, (snapshot) =>
      snapshot.matches('open'),
    ).pipe(Effect.match({ onFailure: (fault) => fault, onSuccess: () => undefined }))
    return { fault, events: [...events], state: supervisor.status('door')?.state }
  }).pipe(Effect.scoped, Effect.runPromise)

/** A door whose attempts to open end like this, one after the other. */
const door = (...attempts: readonly Effect.Effect<void, Fault>[]): Door => {
  let next = 0
  return Effect.sync(() => ({
    logic: doorMachine.provide({ actors: { open: fromEffect(() => attempts[next++] ?? Effect.never) } }),
  }))
}

test('the wait is over when the child is ready', async () => {
  const { fault, state } = await started(door(Effect.delay(Effect.void, '5 millis')))

  assert.equal(fault, undefined)
  assert.equal(state, 'running')
})

test('a child whose first incarnation ends before it is ready is told of at once, and tried again', async () => {
  const { fault, events, state } = await started(door(Effect.fail(jammed), Effect.void))

  assert.deepEqual(fault, { ...jammed, resource: 'door' })
  assert.deepEqual(events, ['started', 'crashed'])
  assert.equal(state, 'restarting')
})

test('a child for which nothing can be acquired fails with that', async () => {
  const { fault } = await started(Effect.fail(jammed))

  assert.deepEqual(fault, { ...jammed, resource: 'door' })
})
