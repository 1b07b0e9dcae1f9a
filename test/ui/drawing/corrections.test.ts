// How much larger corrections are drawn than they are, against numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enlarge, timesOf } from '../../../ui/drawing/corrections.ts'

const before = { x_m: 4, y_m: 3, z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 179 }

test('they are drawn as much larger as the farthest has room', () => {
  const near = { before, after: { ...before, x_m: 4.01 } }
  const far = { before, after: { ...before, y_m: 3.06 } }

  assert.equal(timesOf([near, far], 1), 10)
  assert.equal(timesOf([near], 1), 100)
  assert.equal(timesOf([far], 0.01), 1)
})

test('none is turned so far that nobody would know it again', () => {
  assert.equal(timesOf([{ before, after: { ...before, yaw_deg: -177 } }], 1), 10) // 4 degrees, over the half turn
})

test('what is drawn lies in the same direction, so many times as far away, the short way round', () => {
  const drawn = enlarge({ before, after: { ...before, y_m: 3.05, yaw_deg: -178 } }, 10)

  assert.equal(Math.round(drawn.y_m * 1e6), 3_500_000)
  assert.equal(drawn.yaw_deg, 209)
  assert.deepEqual([drawn.x_m, drawn.z_m, drawn.roll_deg, drawn.pitch_deg], [4, 1, 0, 0])
})
