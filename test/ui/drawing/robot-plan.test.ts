// Where cameras are in the pictures of the robot, and what moving and turning them there means, against numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boxOnPlan,
  handleOf,
  moveBy,
  moveTo,
  planOfRobot,
  type RobotSide,
  toPixel,
  turnBy,
  turnTo,
} from '../../../ui/drawing/robot-plan.ts'

const size = { length_m: 0.8, width_m: 0.6, height_m: 0.5 }
const level = { x_m: 0.2, y_m: 0.1, z_m: 0.3, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const planOf = (side: RobotSide) => planOfRobot(side, size, [], 440)

/** To the right and up of a plan's origin, in metres. */
const seenAt = (side: RobotSide, point: readonly [number, number, number]) => {
  const plan = planOf(side)
  const [x, y] = toPixel(plan, point)
  return [(x - plan.origin[0]) / plan.px_per_m, (plan.origin[1] - y) / plan.px_per_m].map(
    (value) => Math.round(value * 1000) / 1000 + 0,
  )
}

test('from above the front is up and the left is left', () => {
  assert.deepEqual(seenAt('above', [0.2, 0.1, 0.3]), [-0.1, 0.2])
})

test('from its right the front is right, and from before it its left is right; up is up', () => {
  assert.deepEqual(seenAt('side', [0.2, 0.1, 0.3]), [0.2, 0.3])
  assert.deepEqual(seenAt('front', [0.2, 0.1, 0.3]), [0.1, 0.3])
})

test('the robot stands on the floor, as long, wide and high as it is', () => {
  const plan = planOf('side')
  const box = boxOnPlan(plan, size)

  assert.equal(Math.round(box.width), Math.round(0.8 * plan.px_per_m))
  assert.equal(Math.round(box.height), Math.round(0.5 * plan.px_per_m))
  assert.equal(box.y + box.height, plan.origin[1])
})

test('a camera that is farther out than the robot is in the picture', () => {
  const plan = planOfRobot('above', size, [[2, 0, 0]], 440)

  const [, y] = toPixel(plan, [2, 0, 0])

  assert.ok(y > 0)
})

for (const side of ['above', 'side', 'front'] as const) {
  test(`a camera that is dragged to where it is stays there, seen from ${side}`, () => {
    const plan = planOf(side)

    assert.deepEqual(moveTo(plan, level, toPixel(plan, [0.2, 0.1, 0.3])), level)
  })

  test(`a camera that is turned to where its handle shows stays as it is, seen from ${side}`, () => {
    const plan = planOf(side)
    const turned = { above: { yaw_deg: 130 }, side: { pitch_deg: -25 }, front: { roll_deg: 40 } }[side]
    for (const yaw_deg of side === 'above' ? [130] : [0, 180]) {
      const pose = { ...level, yaw_deg, ...turned }
      const [x, y] = toPixel(plan, [pose.x_m, pose.y_m, pose.z_m])
      const [right, down] = handleOf(side, pose)

      assert.deepEqual(turnTo(plan, pose, [x + 60 * right, y + 60 * down]), pose)
    }
  })
}

test('a camera that is dragged goes to the centimetre there, and no deeper or nearer', () => {
  const plan = planOf('side')

  const moved = moveTo(plan, level, toPixel(plan, [0.3141, 9, 0.2]))

  assert.deepEqual(moved, { ...level, x_m: 0.31, z_m: 0.2 })
})

test('a step to the right is to the right of the picture', () => {
  assert.deepEqual(moveBy('above', level, 0.01, 0), { ...level, y_m: 0.09 })
  assert.deepEqual(moveBy('side', level, 0.01, 0), { ...level, x_m: 0.21 })
  assert.deepEqual(moveBy('front', level, 0.01, 0.1), { ...level, y_m: 0.11, z_m: 0.4 })
})

test('a camera that looks to the left has a yaw of 90, and one that looks down a pitch above 0', () => {
  const above = planOf('above')
  const [x, y] = toPixel(above, [0.2, 0.1, 0.3])
  const side = planOf('side')
  const [sideX, sideY] = toPixel(side, [0.2, 0.1, 0.3])

  assert.equal(turnTo(above, level, [x - 50, y]).yaw_deg, 90)
  assert.equal(turnTo(side, level, [sideX + 50, sideY + 50]).pitch_deg, 45)
})

test('angles go round, and the pitch ends where it is straight up or down', () => {
  assert.equal(turnBy('above', { ...level, yaw_deg: 175 }, 10).yaw_deg, -175)
  assert.equal(turnBy('side', { ...level, pitch_deg: 85 }, 10).pitch_deg, 90)
})
