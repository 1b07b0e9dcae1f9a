// Which piece is chosen, and how long it is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestOf, NoteFollower } from './note.ts'

const target = (tx_deg: number, area_share: number) => ({ tx_deg, ty_deg: -5, area_share })

test('the largest target is the nearest piece', () => {
  assert.equal(bestOf([target(-10, 0.01), target(3, 0.04), target(12, 0.02)])?.tx_deg, 3)
})

test('specks are no pieces', () => {
  assert.equal(bestOf([target(3, 0.0001)]), undefined)
})

test('a piece that is hidden for a moment is not lost, and then it is', () => {
  const follower = new NoteFollower()
  follower.take([target(7, 0.02)], 1_000_000)

  const hidden = follower.take([], 1_100_000)
  const gone = follower.take([], 1_400_000)

  assert.deepEqual([hidden.isSeen, hidden.yawDeg], [true, 7])
  assert.deepEqual([gone.isSeen, gone.yawDeg], [false, 0])
})
