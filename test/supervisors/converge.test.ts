// What runs is kept in step with what is wanted.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { converge, type Watch } from '../../supervisors/converge.ts'
import { settle } from '../support/clock.ts'

/** Something that changes, and work that takes as long as the test wants. */
const wanted = (t: TestContext) => {
  const scope = Scope.makeUnsafe()
  const end = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(end)
  const watchers = new Set<() => void>()
  const watch: Watch = (changed) => {
    watchers.add(changed)
    return () => watchers.delete(changed)
  }
  const change = () => {
    for (const changed of watchers) changed()
  }
  const seen = { begun: 0, atOnce: 0 }
  let finish: () => void = () => {}
  const once = Effect.callback<void>((resume) => {
    seen.begun += 1
    seen.atOnce += 1
    finish = () => {
      seen.atOnce -= 1
      resume(Effect.void)
    }
  })
  const finished = async () => {
    finish()
    await settle()
  }
  const run = Effect.runPromise(Scope.provide(converge([watch], once), scope))
  return { watchers, change, seen, finished, run, end }
}

test('the first run is waited for', async (t) => {
  const { seen, finished, run } = wanted(t)
  let isDone = false
  run.then(() => {
    isDone = true
  })
  await settle()
  assert.deepEqual([seen.begun, isDone], [1, false])

  await finished()
  assert.ok(isDone)
})

test('changes during a run lead to one more, never to two at a time', async (t) => {
  const { change, seen, finished, run } = wanted(t)
  await settle()
  for (let n = 0; n < 5; n++) change()
  await settle()
  assert.deepEqual(seen, { begun: 1, atOnce: 1 })

  await finished()
  await run
  assert.deepEqual(seen, { begun: 2, atOnce: 1 })

  await finished()
  assert.deepEqual(seen, { begun: 2, atOnce: 0 })

  change()
  await settle()
  assert.deepEqual(seen, { begun: 3, atOnce: 1 })
})

test('with its scope it ends, and nobody is watched any more', async (t) => {
  const { watchers, seen, finished, run, end } = wanted(t)
  await settle()
  await finished()
  await run
  const [changed] = watchers

  await end()
  changed?.()
  await settle()

  assert.equal(watchers.size, 0)
  assert.equal(seen.begun, 1)
})
