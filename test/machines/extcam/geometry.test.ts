// The vendor's own output, captured on two mountings and rounded to 5 digits; tolerance 1 mm and 0.01 degrees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  inOpticalAxes,
  mountAsVendor,
  rightDeg,
  robotInField,
  targetInField,
  upDeg,
  wrapDeg,
  writeCentrePose,
  writePose,
  writeRedPose,
} from '../../../machines/extcam/geometry.ts'
import { compose, identityPose, invert, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import { mountFromVendor } from './vendor-arrays.ts'
import { type Six, vectors } from './vendor-vectors.ts'

const MM = 0.001
const DEG = 0.01

const poseOf = ([x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg]: Six): Pose =>
  poseFromDocument({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg })

const sixOf = (pose: Pose): number[] => {
  const out = new Float64Array(6)
  writePose(out, 0, pose)
  return [...out]
}

const assertSix = (actual: ArrayLike<number>, expected: readonly number[], name: string) => {
  for (let i = 0; i < 6; i++) {
    const difference = (actual[i] as number) - (expected[i] as number)
    const off = Math.abs(i < 3 ? difference : wrapDeg(difference))
    assert.ok(off <= (i < 3 ? MM : DEG), `${name}[${i}] is ${actual[i]}, the vendor has ${expected[i]}`)
  }
}

for (const vector of vectors) {
  test(`the chain of poses gives what the vendor published: ${vector.name}`, () => {
    const mount = mountFromVendor(vector.t6c_rs)
    const tagInCamera = poseOf(vector.t6t_cs)

    const tagInRobot = compose(inOpticalAxes(poseFromDocument(mount)), tagInCamera)

    assertSix(sixOf(invert(tagInCamera)), vector.t6c_ts, 't6c_ts')
    assertSix(sixOf(tagInRobot), vector.t6t_rs, 't6t_rs')
    assertSix(sixOf(invert(tagInRobot)), vector.t6r_ts, 't6r_ts')
    assertSix(mountAsVendor(mount), vector.t6c_rs, 't6c_rs')
  })

  test(`the angles to a tag are the vendor's: ${vector.name}`, () => {
    const [x, y, z] = vector.t6t_cs

    const angles = [rightDeg(x, z), upDeg(y, z)]

    assert.ok(Math.abs((angles[0] as number) - vector.nocross[0]) <= DEG, `txnc ${angles[0]}`)
    assert.ok(Math.abs((angles[1] as number) - vector.nocross[1]) <= DEG, `tync ${angles[1]}`)
  })
}

test('a robot pose is turned into the frames of both corners and of the centre as the vendor does', () => {
  const field = { length_m: 16.541, width_m: 8.069 }
  const robot = poseOf([13.91149, 3.83542, 0, 0, 0, 85.39996])
  const out = new Float64Array(12)

  writeCentrePose(out, 0, robot, field)
  writeRedPose(out, 6, robot, field)

  assertSix(sixOf(robot), [13.91149, 3.83542, 0, 0, 0, 85.39996], 'botpose_wpiblue')
  assertSix(out, [5.64099, -0.19908, 0, 0, 0, 85.39996], 'botpose')
  assertSix(out.subarray(6), [2.62951, 4.23359, 0, 0, 0, -94.60019], 'botpose_wpired')
})

test('seen from the red corner a robot that faces the other way keeps its angle within the half turns', () => {
  const robot = poseOf([10, 3, 0.2, 5, -4, -90])
  const out = new Float64Array(6)

  writeRedPose(out, 0, robot, { length_m: 16, width_m: 8 })

  assert.deepEqual(
    [...out].map((value) => Math.round(value * 1e9) / 1e9),
    [6, 5, 0.2, 5, -4, 90],
  )
})

test('a robot that looks squarely at a tag stands in front of its printed face', () => {
  const tag = poseFromDocument({ x_m: 16, y_m: 2, z_m: 1.2, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 })
  const tagInRobot: Pose = { ...identityPose, y: -1.2, z: 3 } // 3 m ahead, 1.2 m up

  const robot = robotInField(targetInField(tag), invert(tagInRobot))

  assertSix(sixOf(robot), [13, 2, 0, 0, 0, 0], 'robot')
})

test('a robot that sees a tag at an angle stands where the tag puts it', () => {
  const tag = poseFromDocument({ x_m: 0, y_m: 4, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 })
  const robotInTag = poseFromDocument({ x_m: 2, y_m: 0.5, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 150 })
  const robot = compose(tag, robotInTag)
  const targetInRobot = inOpticalAxes(invert(robotInTag))
  const inTarget = invert(compose(targetInRobot, { ...identityPose, qw: 0, qy: 1 })) // the target's z goes into the tag

  assertSix(sixOf(robotInField(targetInField(tag), inTarget)), sixOf(robot), 'robot')
})

test('angles wrap to above -180 and up to 180 degrees', () => {
  const wrapped = [0, 180, -180, 181, -181, 540, -540, 360, 720.5, -94.6].map(wrapDeg)

  const expected = [0, 180, 180, -179, 179, 180, 180, 0, 0.5, -94.6]
  wrapped.forEach((angle, n) => {
    assert.ok(Math.abs(angle - (expected[n] as number)) < 1e-9, `${angle} instead of ${expected[n]}`)
  })
})

test('a camera without a mount stands in the robot origin', () => {
  assert.deepEqual([...mountAsVendor(null)], [0, 0, 0, 0, 0, 0])
})
