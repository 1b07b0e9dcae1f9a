// How a robot moved between exposures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Motion } from '../../../machines/localization/motion.ts'
import { poseOfPlanar } from '../../../machines/localization/planar.ts'
import {
  compose,
  identityPose,
  invert,
  type Pose,
  poseFromDocument,
  rotate,
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

/** A robot that is tilted by 10 degrees, drives 3 m/s along the field and turns by 180 degrees a second. */
const driven = (atUs: number): Pose => {
  const tilted = poseFromDocument({ x_m: 4, y_m: 3, z_m: 0.2, roll_deg: 0, pitch_deg: 10, yaw_deg: 0 })
  const turned = compose(poseOfPlanar({ x: 0, y: 0, yaw: Math.PI * (atUs / 1e6) }), { ...tilted, x: 0, y: 0, z: 0 })
  return { ...turned, x: 4 + 3 * (atUs / 1e6), y: 3, z: 0.2 }
}

const between = (fromUs: number, toUs: number): Pose => compose(invert(driven(fromUs)), driven(toUs))

/** What rounds have solved of it, each 33 ms; by default until 1.33 s. */
const solvedUntil = (toMs = 1_330): Motion => {
  const motion = new Motion()
  for (let ms = 1_000; ms <= toMs; ms += 33) motion.solved(driven(ms * MS), ms * MS)
  return motion
}

test('without odometry the robot goes on at the speed that its last poses show, tilted as it is', () => {
  const motion = solvedUntil()

  isNear(motion.between(1_350 * MS, 1_310 * MS), between(1_350 * MS, 1_310 * MS), 1e-3)
  isNear(motion.between(1_330 * MS, 1_600 * MS), between(1_330 * MS, 1_600 * MS), 1e-2)
})

test('a speed that is 0.3 s old is none, and neither is that of one pose', () => {
  assert.equal(solvedUntil().between(1_330 * MS, 1_631 * MS), undefined)
  const motion = solvedUntil(1_000)
  assert.equal(motion.between(1_000 * MS, 1_010 * MS), undefined)
  assert.deepEqual(motion.between(1_000 * MS, 1_000 * MS), identityPose)
  motion.solved(driven(1_301 * MS), 1_301 * MS)
  assert.equal(motion.between(1_301 * MS, 1_310 * MS), undefined)
})

test('a pose that jumps says nothing of the speed, which stays', () => {
  const motion = solvedUntil()
  const jumped = driven(1_363 * MS)
  motion.solved({ ...jumped, x: jumped.x + 2 }, 1_363 * MS)

  const found = motion.between(1_363 * MS, 1_380 * MS)
  const [x, y] = rotate(driven(1_363 * MS), found?.x ?? 0, found?.y ?? 0, found?.z ?? 0)
  assert.ok(Math.hypot(x - 3 * 0.017, y) < 1e-3)
})

test('a wrong speed does not keep itself alive: what frames are moved by it is taken back', () => {
  const motion = solvedUntil()
  let wrong = 0
  for (let ms = 1_346; ms < 3_000; ms += 16) {
    const seenUs = (ms - 45) * MS
    const before = motion.between(seenUs, ms * MS) ?? identityPose
    // as a solve does: where it was when it was seen, moved to the time of the round
    const noise = ms < 1_400 ? 0.02 : 0
    motion.solved(compose({ ...driven(seenUs), x: driven(seenUs).x + noise }, before), ms * MS, { seenUs })
    wrong = Math.max(wrong, difference(before, between(seenUs, ms * MS)))
  }

  assert.ok(wrong > 1e-3, 'the speed was never wrong')
  isNear(motion.between(2_990 * MS, 3_020 * MS), between(2_990 * MS, 3_020 * MS), 2e-3)
})

test('odometry is believed where it is known of both times, and the own speed where it is not', () => {
  const motion = solvedUntil(1_033)
  for (const ms of [1_000, 1_020, 1_040]) motion.odometry({ atUs: ms * MS, x: ms / 1_000, y: 0, yaw: 0 })

  isNear(motion.between(1_030 * MS, 1_010 * MS), { ...identityPose, x: -0.02 })
  isNear(motion.between(1_030 * MS, 990 * MS), between(1_030 * MS, 990 * MS), 2e-3)
  isNear(motion.between(1_241 * MS, 1_242 * MS), between(1_241 * MS, 1_242 * MS), 1e-2)
})

test('a step is as sure as the speed: by odometry a share of it, by own poses the time, exact where it stands', () => {
  const motion = solvedUntil()
  const at = (ms: number) => motion.deviations(1_340 * MS, (1_340 + ms) * MS)
  const [step, longer] = [at(-10), at(-30)]

  assert.deepEqual(at(0), { m: 0, rad: 0 })
  assert.ok(step.m > 0.001 && step.m < 0.01, `${step.m} m`)
  assert.ok(step.rad > 0.001 && step.rad < 0.01, `${step.rad} rad`)
  assert.ok(longer.m > 2 * step.m && longer.rad > 2 * step.rad)
  // as long ago as that the speed may be another by now
  assert.ok(motion.deviations(1_540 * MS, 1_530 * MS).m > 1.1 * step.m)
  assert.deepEqual(new Motion().deviations(0, 10 * MS), { m: 0.02, rad: 0.03 })
  for (const ms of [1_300, 1_340]) motion.odometry({ atUs: ms * MS, x: (3 * ms) / 1_000, y: 0, yaw: ms / 1_000 })
  assert.ok(Math.abs(at(-10).m - 0.02 * 0.03) < 1e-5 && Math.abs(at(-10).rad - 0.02 * 0.01) < 1e-9)
  const standing = new Motion()
  for (let n = 0; n < 20; n++) standing.solved({ ...identityPose, x: n % 2 ? 0.01 : -0.01 }, n * 33 * MS)
  assert.deepEqual(standing.deviations(19 * 33 * MS, 18 * 33 * MS), { m: 0, rad: 0 })
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
  const motion = solvedUntil()
  motion.odometry({ atUs: 1_330 * MS, x: 0, y: 0, yaw: 0 })

  motion.clear()

  assert.equal(motion.between(1_330 * MS, 1_335 * MS), undefined)
})
