// The arithmetic on poses, held against that of the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose, invert, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import * as drawn from '../../../ui/drawing/scene-pose.ts'

const mount = { x_m: 0.25, y_m: -0.1, z_m: 0.5, roll_deg: 5, pitch_deg: -15, yaw_deg: 30 }
const robot = { x_m: 4, y_m: 3, z_m: 0.1, roll_deg: -2, pitch_deg: 3, yaw_deg: 170 }

const near = (found: drawn.QuaternionPose, { x, y, z, qw, qx, qy, qz }: Pose) => {
  const wanted = { x_m: x, y_m: y, z_m: z, qw, qx, qy, qz }
  for (const key of Object.keys(wanted) as (keyof typeof wanted)[])
    assert.ok(Math.abs(found[key] - wanted[key]) < 1e-12, `${key}: ${found[key]}, not ${wanted[key]}`)
}

test('angles become the quaternion that the service makes of them', () => {
  near(drawn.fromAngles(mount), poseFromDocument(mount))
})

test('a camera on a robot is where the service puts it', () => {
  near(
    drawn.compose(drawn.fromAngles(robot), drawn.fromAngles(mount)),
    compose(poseFromDocument(robot), poseFromDocument(mount)),
  )
  near(drawn.invert(drawn.fromAngles(robot)), invert(poseFromDocument(robot)))
})

test('the heading is the yaw, and the way between two headings the shorter one', () => {
  const left = drawn.fromAngles({ ...robot, roll_deg: 0, pitch_deg: 0 })
  const right = drawn.fromAngles({ ...robot, x_m: 4.3, y_m: 3.4, roll_deg: 0, pitch_deg: 0, yaw_deg: -175 })

  const { m, deg } = drawn.offBy(left, right)

  assert.ok(Math.abs(drawn.yawOf(left) - 170) < 1e-9)
  assert.ok(Math.abs(m - 0.5) < 1e-9)
  assert.ok(Math.abs(deg - 15) < 1e-9)
})

test('a quaternion becomes the angles that made it, also straight up and down', () => {
  const up = { ...mount, roll_deg: 0, pitch_deg: -90, yaw_deg: 30 }

  for (const pose of [mount, up, { ...up, pitch_deg: 90 }]) {
    const again = drawn.toAngles(drawn.fromAngles(pose))

    for (const key of Object.keys(pose) as (keyof typeof pose)[])
      assert.ok(Math.abs(again[key] - pose[key]) < 1e-9, `${key}: ${again[key]}`)
  }
})
