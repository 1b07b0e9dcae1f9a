// From where scenes are looked at, against numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromAngles } from '../../../ui/drawing/scene-pose.ts'
import {
  axesOfTag,
  fromCamera,
  fromOutside,
  fromStation,
  goAround,
  heightDegOf,
  reachOf,
} from '../../../ui/drawing/scene-view.ts'

const level = { x_m: 1, y_m: 2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const rounded = (points: readonly (readonly number[])[]) =>
  points.map((point) => point.map((value) => Math.round(value * 1e6) / 1e6 + 0))

test('a camera that looks to the left sees what is there, upright', () => {
  const limits = { left: -1, right: 1, top: -0.5, bottom: 0.5, isGuessed: false }

  const { from, at, up, canTurn } = fromCamera(fromAngles({ ...level, yaw_deg: 90 }), limits)

  assert.deepEqual(rounded([from, at, up]), [
    [1, 2, 0.5],
    [1, 3, 0.5],
    [0, 0, 1],
  ])
  assert.equal(canTurn, false)
})

test('the drivers stand behind their own wall and look over the field', () => {
  const field = { length_m: 16, width_m: 8 }

  assert.ok(fromStation('blue', field).from[0] < 0)
  assert.ok(fromStation('red', field).from[0] > 16)
  assert.deepEqual(fromStation('red', field).at.slice(0, 2), [8, 4])
})

test('all of a field is in the picture from outside', () => {
  const { from, at, reach } = fromOutside({ length_m: 16, width_m: 8 })

  const [right, up] = reachOf(from, at, [
    [0, 0, 0],
    [16, 0, 0],
    [0, 8, 2],
    [16, 8, 2],
  ])

  assert.ok(right <= reach[0] && up <= reach[1])
  assert.deepEqual(rounded([reachOf([0, -1, 0], [0, 0, 0], [[1, 0, 0.5]])]), [[1.08, 0.54]])
})

test('a narrow picture shows more above and below, so that all the width is seen', () => {
  assert.equal(Math.round(heightDegOf([1, 0.5], 2)), 53)
  assert.equal(Math.round(heightDegOf([1, 0.5], 1)), 90)
})

test('an eye goes around what it looks at, as far from it as before, and never below the floor', () => {
  assert.deepEqual(rounded([goAround([2, 0, 0], [0, 0, 0], 90, 0, 1)]), [[0, 2, 0]])
  assert.deepEqual(rounded([goAround([2, 0, 0], [0, 0, 0], 0, 0, 0.5)]), [[1, 0, 0]])
  assert.ok(goAround([2, 0, 0], [0, 0, 0], 0, -90, 1)[2] > -0.3)
})

test('who stands before a tag sees its left on the right', () => {
  assert.deepEqual(rounded(axesOfTag(fromAngles(level))), [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ])
})
