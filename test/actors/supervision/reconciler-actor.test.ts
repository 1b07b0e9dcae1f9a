// When a reconciler makes its passes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { endEffects } from '../../../actors/run.ts'
import { reconcilerActor } from '../../../actors/supervision/reconciler-actor.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { settle, simulatedClock } from '../../support/clock/clock.ts'

const fault: Fault = { code: 'child.stuck', detail: 'no' }

/** A reconciler whose passes are over when the test says so. */
const reconciler = (t: TestContext) => {
  const clock = simulatedClock()
  const watchers = new Set<() => void>()
  const passes: (readonly string[])[] = []
  let end: (faults: readonly Fault[]) => void = () => {}
  const watch = (changed: () => void) => {
    watchers.add(changed)
    return () => watchers.delete(changed)
  }
  const pass = ({ restart }: { readonly restart: readonly string[] }) =>
    Effect.callback<readonly Fault[]>((resume) => {
      passes.push(restart)
      end = (faults) => resume(Effect.succeed(faults))
    })
  const actor = createActor(reconcilerActor({ watch, pass }), { clock }).start()
  const stop = async () => {
    actor.stop()
    await Effect.runPromise(endEffects(actor))
  }
  t.after(stop)
  return {
    actor,
    clock,
    watchers,
    passes,
    stop,
    change: async () => {
      for (const changed of watchers) changed()
      await settle()
    },
    finished: async (...faults: readonly Fault[]) => {
      end(faults)
      await settle()
    },
  }
}

test('changes during a pass lead to one more, never to two at a time', async (t) => {
  const { change, finished, passes } = reconciler(t)
  await settle()
  for (let n = 0; n < 5; n++) await change()
  assert.equal(passes.length, 1)

  await finished()
  assert.equal(passes.length, 2)
  await finished()
  assert.equal(passes.length, 2)

  await change()
  assert.equal(passes.length, 3)
})

test('what could not be done is tried again after 15 s', async (t) => {
  const { actor, clock, finished, passes } = reconciler(t)
  await settle()
  await finished(fault)
  assert.deepEqual([actor.getSnapshot().value, actor.getSnapshot().context.fault], ['incomplete', fault])

  clock.increment(14_999)
  await settle()
  assert.equal(passes.length, 1)
  clock.increment(1)
  await settle()
  assert.equal(passes.length, 2)

  await finished()
  assert.deepEqual([actor.getSnapshot().value, actor.getSnapshot().context.fault], ['in-step', null])
})

test('a restart that is asked for is part of the next pass', async (t) => {
  const { actor, finished, passes } = reconciler(t)
  await settle()
  actor.send({ type: 'child.restart', ask: 1, id: 'streams/front' })
  actor.send({ type: 'child.restart', ask: 2, id: 'streams/front' })
  await settle()
  await finished()

  assert.deepEqual(passes, [[], ['streams/front']])
})

test('with the actor nobody is watched any more', async (t) => {
  const { watchers, stop } = reconciler(t)
  await settle()
  assert.equal(watchers.size, 1)

  await stop()

  assert.equal(watchers.size, 0)
})
