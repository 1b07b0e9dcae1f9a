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

const MM = 0.001
const DEG = 0.01

type Six = readonly [number, number, number, number, number, number]

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

const vectors: readonly {
  readonly name: string
  readonly t6c_rs: Six
  readonly t6t_cs: Six
  readonly t6c_ts: Six
  readonly t6t_rs: Six
  readonly t6r_ts: Six
  readonly nocross: readonly [number, number]
}[] = [
  {
    name: 'mount A, tag 7',
    t6c_rs: [-0.36, 0, 0.4, 0, 18.75, -180],
    t6t_cs: [0.01279, 0.35869, 0.90139, -18.78185, 1.60535, -1.62995],
    t6c_ts: [0.02267, -0.04967, -0.96868, 18.74069, -2.04421, 1.02707],
    t6t_rs: [-0.01279, -0.35009, -1.32885, 179.97264, -2.0442, -178.97261],
    t6r_ts: [0.02835, 0.35044, -1.32852, -179.99071, 2.04436, -178.97293],
    nocross: [0.8128, -21.69898],
  },
  {
    name: 'mount B, tag 9',
    t6c_rs: [0.079, -0.295, 0.2617, 0, 11.9, -90],
    t6t_cs: [-0.36718, -0.62261, 1.27043, -11.69175, -6.6073, 0.27732],
    t6c_ts: [0.22155, 0.87232, -1.15171, 11.73683, 6.52611, 1.07141],
    t6t_rs: [-1.40974, -1.1329, -0.28818, 170.71686, -83.38698, -170.49261],
    t6r_ts: [0.10459, 1.13104, -1.43656, -178.57403, 83.47194, -177.49332],
    nocross: [-16.12044, 26.10865],
  },
  {
    name: 'mount B, tag 10',
    t6c_rs: [0.079, -0.295, 0.2617, 0, 11.9, -90],
    t6t_cs: [-0.0047, -0.61355, 1.2843, -11.7719, -4.25534, 0.71733],
    t6c_ts: [-0.08295, 0.86202, -1.12957, 11.75149, 4.3121, 0.16554],
    t6t_rs: [-1.42519, -1.12689, 0.0743, 177.80567, -85.68481, -177.65093],
    t6r_ts: [-0.18471, 1.12266, -1.41847, -178.03126, 85.68543, -177.86013],
    nocross: [-0.20981, 25.53514],
  },
]

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
