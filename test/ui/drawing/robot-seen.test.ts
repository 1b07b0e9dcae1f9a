// Where a camera is found to sit, of what two of them see.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seenMount } from '../../../ui/drawing/robot-seen.ts'
import { compose, fromAngles } from '../../../ui/drawing/scene-pose.ts'

const robot = fromAngles({ x_m: 5, y_m: 3, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 120 })
const mount = { x_m: -0.2, y_m: 0.15, z_m: 0.4, roll_deg: 0, pitch_deg: -20, yaw_deg: 170 }

const found = (row: object) => ({ pose: { kind: 'field_pose', rows: [row as never] } }) as const

test('a camera sits where it is on the field, as seen from where the robot is', () => {
  const field_camera = compose(robot, fromAngles(mount))

  const seen = seenMount(found({ field_camera }), found({ field_robot: robot }))

  for (const [key, wanted] of Object.entries(mount))
    assert.ok(Math.abs((seen?.[key as keyof typeof mount] ?? Number.NaN) - wanted) < 1e-9, `${key} of ${seen}`)
})

test('nothing is said when one of them does not know where it is', () => {
  assert.equal(seenMount(found({ field_camera: robot }), {}), undefined)
})
