// What a camera sees, against numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bodyCorners,
  frustumOf,
  guessLimits,
  limitsOf,
  limitsOfStream,
  outlineOf,
  widthDegOf,
} from '../../../ui/drawing/scene-frustum.ts'
import { fromAngles } from '../../../ui/drawing/scene-pose.ts'

const lens = { width_px: 1200, height_px: 800, fx_px: 600, fy_px: 600, cx_px: 599.5, cy_px: 299.5 }

const rounded = (points: readonly (readonly number[])[]) =>
  points.map((point) => point.map((value) => Math.round(value * 1e6) / 1e6 + 0))

test('the corners of a picture lie ahead of the camera: left of the optical axis is y, above it z', () => {
  assert.deepEqual(rounded(bodyCorners(limitsOf(lens), 2)), [
    [2, 2, 1],
    [2, -2, 1],
    [2, -2, -1.666667],
    [2, 2, -1.666667],
  ])
  assert.equal(widthDegOf(limitsOf(lens)), 90)
})

test('a camera that is turned to the left and looks down sees what lies there', () => {
  const body = fromAngles({ x_m: 1, y_m: 2, z_m: 3, roll_deg: 0, pitch_deg: 90, yaw_deg: 0 })
  const straight = { left: 0, right: 0, top: 0, bottom: 0, isGuessed: false }

  const [tip, corner] = frustumOf(body, straight, 3)
  const [, turned] = frustumOf(
    { ...body, ...fromAngles({ x_m: 1, y_m: 2, z_m: 3, roll_deg: 0, pitch_deg: 0, yaw_deg: 90 }) },
    straight,
    3,
  )

  assert.deepEqual(rounded([tip, corner ?? [], turned ?? []]), [
    [1, 2, 3],
    [1, 2, 0],
    [1, 5, 3],
  ])
})

test('where no lens is known it is guessed, in the shape of the pictures, and said so', () => {
  const limits = guessLimits(640, 320)

  assert.equal(limits.isGuessed, true)
  assert.equal(Math.round(widthDegOf(limits)), 70)
  assert.equal(limits.right / limits.bottom, 2)
})

test('the outline of points leaves out those within', () => {
  const outline = outlineOf([
    [0, 0],
    [2, 0],
    [1, 1],
    [2, 2],
    [0, 2],
    [1, 0],
  ])

  assert.deepEqual(outline, [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
  ])
})

test('what a stream sees is its lens, and a lens that is guessed is said to be', () => {
  const size = { width_px: 640, height_px: 400 }

  assert.equal(widthDegOf(limitsOfStream({ ...size, lens: { ...lens, source: 'computed' } })), 90)
  assert.equal(limitsOfStream({ ...size, lens: { ...lens, source: 'computed' } }).isGuessed, false)
  assert.equal(limitsOfStream({ ...size, lens: { ...lens, source: 'guessed' } }).isGuessed, true)
  assert.deepEqual(limitsOfStream({ ...size, lens: null }), guessLimits(640, 400))
})
