import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter } from '../../../../machines/extcam/writes/counter.ts'

/** What each of some counts asks for; `old`: those that were there before anybody listened. */
const asked = (...counts: readonly (number | { readonly old: number })[]) => {
  const counter = new Counter()
  return counts.map((each) => (typeof each === 'number' ? counter.asks(each, false) : counter.asks(each.old, true)))
}

test('a count that rises asks each time', () => {
  assert.deepEqual(asked(0, 1, 2, 5, 5), [false, true, true, true, false])
})

test('the first call of a robot program, which counts from 1, asks', () => {
  assert.deepEqual(asked(1, 2), [true, true])
})

test('one that goes back to 0 each time asks at each 1', () => {
  assert.deepEqual(asked(0, 1, 0, 1), [false, true, false, true])
})

test('a count that is old when it is first seen asks for nothing, and the next one does', () => {
  assert.deepEqual(asked({ old: 7 }, 8), [false, true])
})

test('one that is delivered again asks for nothing; one that rose while nobody listened asks', () => {
  assert.deepEqual(asked(3, { old: 3 }, { old: 4 }), [true, false, true])
})

test('a robot program that began anew is followed from where it is', () => {
  assert.deepEqual(asked(9, { old: 1 }, 2), [true, false, true])
})
