// Poses as they may be sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import { poseOfBody, quaternionOf } from '../../../machines/localization/pose-body.ts'

const place = { x_m: 0.25, y_m: -0.1, z_m: 0.5 }
const pose = (roll_deg: number, pitch_deg: number, yaw_deg: number): PoseDocument => ({
  ...place,
  roll_deg,
  pitch_deg,
  yaw_deg,
})

const rounded = (value: ReturnType<typeof poseOfBody>) =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key, Math.round(part * 1e6) / 1e6 + 0]))

test('a pose with angles is taken as it is, one with a quaternion has the same angles', () => {
  for (const each of [pose(0, 0, 0), pose(0, -15, 0), pose(5, 20, -130), pose(0, 0, 90)]) {
    assert.deepEqual(poseOfBody(each), each)
    assert.deepEqual(rounded(poseOfBody({ ...place, quaternion: quaternionOf(each) })), each)
  }
})

test('positive pitch looks down and positive yaw turns left, in either form', () => {
  const half = Math.SQRT1_2
  assert.deepEqual(rounded(poseOfBody({ ...place, quaternion: { w: half, x: 0, y: 0, z: half } })), pose(0, 0, 90))
  assert.deepEqual(rounded(poseOfBody({ ...place, quaternion: { w: Math.cos(0.1), x: 0, y: Math.sin(0.1), z: 0 } })), {
    ...pose(0, 0, 0),
    pitch_deg: 11.459156,
  })
})

test('a quaternion of another length is the same rotation, one of none is refused', () => {
  assert.deepEqual(rounded(poseOfBody({ ...place, quaternion: { w: 0.5, x: 0, y: 0, z: 0.5 } })), pose(0, 0, 90))
  assert.deepEqual(poseOfBody({ ...place, quaternion: { w: 0, x: 0, y: 0.01, z: 0 } }), [
    { pointer: '/quaternion', message: 'is no rotation: its length is nearly nothing, where it should be 1' },
  ])
})

test('two rotations, or a part of one, are refused where they are', () => {
  const pointers = (body: Parameters<typeof poseOfBody>[0]) => {
    const errors = poseOfBody(body)
    return Array.isArray(errors) ? errors.map(({ pointer }) => pointer) : []
  }

  assert.deepEqual(pointers({ ...place, yaw_deg: 3 }), ['/roll_deg', '/pitch_deg'])
  assert.deepEqual(pointers({ ...place, yaw_deg: 3, quaternion: { w: 1, x: 0, y: 0, z: 0 } }), ['/yaw_deg'])
})
