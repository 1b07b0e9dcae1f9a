import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter } from '../../../../machines/extcam/writes/counter.ts'

const NEW_LINK = 'new link'

/** What each of some counts asks for; `old`: those that were there before anybody listened. */
const asked = (...counts: readonly (number | { readonly old: number } | typeof NEW_LINK)[]) => {
  const counter = new Counter()
  let session = {}
  return counts.flatMap((each) => {
    if (each === NEW_LINK) {
      session = {}
      return []
    }
    return typeof each === 'number' ? counter.asks(each, false, session) : counter.asks(each.old, true, session)
  })
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
  assert.deepEqual(asked(3, NEW_LINK, { old: 3 }, NEW_LINK, { old: 4 }), [true, false, true])
})

test('a robot program that began anew is followed from where it is', () => {
  assert.deepEqual(asked(9, NEW_LINK, { old: 1 }, 2), [true, false, true])
})

test('a robot program that began anew on a server of its own is heard from its first count on', () => {
  assert.deepEqual(asked(9, NEW_LINK, 1, 2), [true, true, true])
  assert.deepEqual(asked(9, NEW_LINK, 0, 1), [true, false, true])
})

test('one that counts back on a link on which it was heard already asks for nothing', () => {
  assert.deepEqual(asked(9, 1, NEW_LINK, { old: 1 }, 0), [true, false, false, false])
})
