// Which frames of two pictures belong together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptFrame } from '../../ui/pictures/messages.ts'
import { heldPairs } from '../../ui/rooms/streams/held-frames.ts'

const frames = (...taken: readonly (readonly [seq: number | undefined, takenAtMs: number])[]): readonly KeptFrame[] =>
  taken.map(([seq, takenAtMs]) => ({ seq, takenAtMs }))

test('of one stream those of the same number belong together, and those that one side missed are left out', () => {
  const left = frames([4, 0], [5, 10], [7, 30], [8, 40])
  const right = frames([5, 11], [6, 21], [8, 41])

  assert.deepEqual(heldPairs(left, right, true), [
    { left: 1, right: 0 },
    { left: 3, right: 2 },
  ])
})

test('of two streams, or where numbers are not told, those of nearly the same moment', () => {
  const fast = frames([1, 0], [2, 100], [3, 200], [4, 300])
  const slow = frames([2, 90], [3, 290])

  const expected = [
    { left: 1, right: 0 },
    { left: 3, right: 1 },
  ]
  assert.deepEqual(heldPairs(fast, slow, false), expected)
  assert.deepEqual(
    heldPairs(slow, fast, false),
    expected.map(({ left, right }) => ({ left: right, right: left })),
  )
  assert.deepEqual(heldPairs(frames([undefined, 0]), frames([undefined, 3]), true), [{ left: 0, right: 0 }])
})

test('without a frame on one side there is no pair', () => {
  assert.deepEqual(heldPairs(frames([1, 0]), [], false), [])
  assert.deepEqual(heldPairs([], frames([1, 0]), true), [])
})
