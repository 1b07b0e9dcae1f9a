// Who is told whether samples come, and how often.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Freshness } from '../../../machines/localization/freshness.ts'

const MS = 1000

test('a thing that has just come is no news until it is fresh, and then each change is', () => {
  const freshness = new Freshness()

  assert.deepEqual(
    [
      freshness.isNews('a', false, 0),
      freshness.isNews('a', true, 10 * MS),
      freshness.isNews('a', true, 20 * MS),
      freshness.isNews('b', true, 20 * MS),
      freshness.isNews('a', false, 2_000 * MS),
    ],
    [false, true, false, true, true],
  )
})

test('one that comes and goes many times a second is told of once, and in the end as it is', () => {
  const freshness = new Freshness()
  const told: boolean[] = []
  for (let ms = 0; ms < 4_000; ms += 50) {
    const isFresh = ms < 2_500 && ms % 100 === 0
    if (freshness.isNews('a', isFresh, ms * MS)) told.push(isFresh)
  }

  assert.ok(told.length <= 5, String(told))
  assert.equal(told.at(-1), false)
})

test('what has gone is forgotten', () => {
  const freshness = new Freshness()
  freshness.isNews('a', true, 0)

  freshness.keep(new Set(['b']))

  assert.equal(freshness.isNews('a', true, 10 * MS), true)
})
