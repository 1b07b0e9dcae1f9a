// What is kept of a trial of a plan.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultGraph } from '../../../../machines/pipeline/graph.ts'
import { TriedPlan } from '../../../../native/engine/process/tried-plan.ts'
import { planOf, tagsAs } from '../../../support/engine/graphs.ts'

const [plan, other] = [planOf(defaultGraph), planOf(tagsAs('only'))]

const kept = () => {
  let letGo = 0
  const tried = new TriedPlan(() => letGo++)
  tried.keep(plan)
  return { tried, letGo: () => letGo }
}

test('a plan that was tried is taken once, by whoever wants the same', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { tried, letGo } = kept()

  assert.equal(tried.take(structuredClone(plan)), true)
  assert.equal(tried.take(plan), false)
  t.mock.timers.tick(60_000)

  assert.equal(letGo(), 0, 'what was taken is not let go')
})

test('a plan that was tried is let go when another is wanted, and when nobody has wanted it for a while', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [first, second] = [kept(), kept()]

  assert.equal(first.tried.take(other), false)
  t.mock.timers.tick(60_000)

  assert.equal(second.tried.take(plan), false)
  assert.deepEqual([first.letGo(), second.letGo()], [1, 1])
})
