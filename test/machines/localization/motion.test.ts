// How a robot moved between exposures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Motion, partOf } from '../../../machines/localization/motion.ts'
import { poseOfPlanar } from '../../../machines/localization/planar.ts'
import {
  compose,
  eulerDeg,
  identityPose,
  invert,
  type Pose,
  poseFromDocument,
} from '../../../machines/localization/pose.ts'

const MS = 1_000

const difference = (one: Pose, other: Pose): number => {
  const { x, y, z, qx, qy, qz } = compose(invert(one), other)
  return Math.max(Math.hypot(x, y, z), 2 * Math.hypot(qx, qy, qz))
}

const isNear = (found: Pose | undefined, expected: Pose, by = 1e-9) => {
  assert.ok(found, 'nothing is known')
  assert.ok(difference(found, expected) <= by, `${Object.values(found)}, not ${Object.values(expected)}`)
}

/** A robot on a ramp: tilted by 10 degrees, 3 m/s, turning by 180 degrees a second. */
const driven = (atUs: number): Pose => {
  const yaw = Math.PI * (atUs / 1e6)
  const radius = 3 / Math.PI
  const ramp = poseFromDocument({ x_m: 4, y_m: 3, z_m: 0.2, roll_deg: 0, pitch_deg: 10, yaw_deg: 0 })
  return compose(ramp, poseOfPlanar({ x: radius * Math.sin(yaw), y: radius * (1 - Math.cos(yaw)), yaw }))
}

const between = (fromUs: number, toUs: number): Pose => compose(invert(driven(fromUs)), driven(toUs))

const solvedTwice = (fromMs = 1_000, toMs = 1_033): Motion => {
  const motion = new Motion()
  for (const ms of [fromMs, toMs]) motion.solved(driven(ms * MS), ms * MS)
  return motion
}

test('without odometry the robot goes on at the speed of its last two poses, on a ramp as well', () => {
  const motion = solvedTwice()

  isNear(motion.between(1_066 * MS, 1_049 * MS), between(1_066 * MS, 1_049 * MS))
  isNear(motion.between(1_033 * MS, 1_333 * MS), between(1_033 * MS, 1_333 * MS))
})

test('a speed that is 0.3 s old is none, and neither is that of one pose', () => {
  assert.equal(solvedTwice().between(1_033 * MS, 1_334 * MS), undefined)
  assert.equal(solvedTwice(1_000, 1_301).between(1_301 * MS, 1_310 * MS), undefined)
  const motion = new Motion()
  motion.solved(driven(1_000 * MS), 1_000 * MS)
  assert.equal(motion.between(1_000 * MS, 1_010 * MS), undefined)
  assert.deepEqual(motion.between(1_000 * MS, 1_000 * MS), identityPose)
})

test('a pose that jumps faster than a robot can drive gives no speed', () => {
  const motion = solvedTwice()
  const jumped = driven(1_066 * MS)
  motion.solved({ ...jumped, x: jumped.x + 2 }, 1_066 * MS)

  assert.equal(motion.between(1_066 * MS, 1_080 * MS), undefined)
})

test('odometry is believed where it is known of both times, and the own speed where it is not', () => {
  const motion = solvedTwice()
  for (const ms of [1_000, 1_020, 1_040]) motion.odometry({ atUs: ms * MS, x: ms / 1_000, y: 0, yaw: 0 })

  isNear(motion.between(1_030 * MS, 1_010 * MS), { ...identityPose, x: -0.02 })
  isNear(motion.between(1_030 * MS, 990 * MS), between(1_030 * MS, 990 * MS))
  isNear(motion.between(1_240 * MS, 1_241 * MS), between(1_240 * MS, 1_241 * MS), 1e-2)
})

test('whether the robot moves is what its odometry says, else what its poses say, else no', () => {
  const at = (speed: number, turnRate: number) => {
    const motion = new Motion()
    for (let ms = 0; ms <= 400; ms += 20)
      motion.odometry({ atUs: ms * MS, x: (speed * ms) / 1_000, y: 0, yaw: (turnRate * ms) / 1_000 })
    return motion.moves(390 * MS)
  }
  const degrees = Math.PI / 180

  assert.deepEqual([at(0.19, 0), at(0.21, 0), at(0, 9 * degrees), at(0, -11 * degrees)], [false, true, false, true])
  const solved = new Motion()
  assert.equal(solved.moves(1_000 * MS), false)
  for (const ms of [1_000, 1_033, 1_066, 1_100, 1_160]) solved.solved(driven(ms * MS), ms * MS)
  assert.equal(solved.moves(1_170 * MS), true)
  assert.equal(solved.moves(1_500 * MS), false)
})

test('poses of a robot that stands, a centimetre apart, do not make it move', () => {
  const motion = new Motion()
  for (let n = 0; n < 20; n++) motion.solved({ ...identityPose, x: n % 2 ? 0.01 : -0.01 }, n * 33 * MS)

  assert.equal(motion.moves(19 * 33 * MS), false)
})

test('what was forgotten says nothing', () => {
  const motion = solvedTwice()
  motion.odometry({ atUs: 1_040 * MS, x: 0, y: 0, yaw: 0 })

  motion.clear()

  assert.equal(motion.between(1_040 * MS, 1_045 * MS), undefined)
})

test('the shares of a step make the whole step, in space as well', () => {
  const part = fc.double({ min: -1, max: 1, noNaN: true })
  const angle = fc.double({ min: -80, max: 80, noNaN: true })
  const step = fc.record({ x_m: part, y_m: part, z_m: part, roll_deg: angle, pitch_deg: angle, yaw_deg: angle })

  fc.assert(
    fc.property(step, (document) => {
      const whole = poseFromDocument(document)
      isNear(partOf(whole, 1), whole)
      const half = partOf(whole, 0.5)
      const twice = compose(half, half)
      assert.ok(eulerDeg(compose(invert(twice), whole)).every((each) => Math.abs(each) < 1e-6))
    }),
  )
})
