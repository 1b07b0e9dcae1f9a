import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Blur, exposureUsOf, NOT_MOVED } from '../../../machines/localization/blur.ts'
import { OBSERVATION_HEAD } from '../../../machines/localization/observation.ts'
import { identityPose, type Pose } from '../../../machines/localization/pose.ts'
import type { Round } from '../../../machines/localization/round.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { DEFAULT_CONFIG, NO_FAULTS, World } from '../../support/localization/worlds.ts'

const FOCAL_PX = 1000
/** It looks ahead from the middle of the robot. */
const OPTICAL: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }
/** Two metres ahead, 20 cm large. */
const TAG = { u: 0, v: 0, side: 100, sizeM: 0.2 }

const turned = (yaw: number): Pose => ({ ...identityPose, qw: Math.cos(yaw / 2), qz: Math.sin(yaw / 2) })
const exact = { m: 0, rad: 0 }
const blurOf = (step: Pose, std = exact) => new Blur(OPTICAL, FOCAL_PX, { step, std }).pixelsOf(TAG)

const isNear = (value: number, wanted: number, apart: number) =>
  assert.ok(Math.abs(value - wanted) <= apart, `${value} is not ${wanted}`)

test('a picture moves by as much as its robot turns and drives past it, and not at all where it stands', () => {
  isNear(blurOf(identityPose), 0, 1e-9)
  isNear(blurOf(turned(0.01)), FOCAL_PX * 0.01, 0.01)
  isNear(blurOf({ ...identityPose, y: 0.01 }), (FOCAL_PX * 0.01) / 2, 0.01)
  isNear(blurOf({ ...identityPose, x: 0.01 }), 0, 1e-9)
  isNear(blurOf({ ...turned(0.01), y: -0.02 }), 0, 0.01)
})

test('a motion of which little is known blurs by as much as it may have been, and no more than can be read', () => {
  isNear(blurOf(identityPose, { m: 0.01, rad: 0.01 }), Math.hypot(5, 10), 0.01)
  isNear(blurOf(turned(1)), TAG.side / 4, 1e-9)
})

test('a deviation grows by 6 % of the blur', () => {
  const blur = new Blur(OPTICAL, FOCAL_PX, { step: turned(0.01), std: exact })

  isNear(blur.sigmaOf(0.3, TAG), Math.hypot(0.3, 0.6), 1e-3)
  assert.equal(new Blur(OPTICAL, FOCAL_PX, NOT_MOVED).sigmaOf(0.3, TAG), 0.3)
})

const WITH_EXPOSURE = OBSERVATION_HEAD.indexOf('exposure_us')
const STEP_US = 33_000

/** Everything is where it is said to be, so that what is left are the corners. */
const config = {
  ...DEFAULT_CONFIG,
  errors: { map_m: 1e-4, map_deg: 1e-3, mount_m: 1e-4, mount_deg: 1e-3, lens_share: 1e-5 },
}

/** A robot that turns as it is told, as its pictures show: the deviation of the last pose's yaw. */
const yawStdAfter = (exposureUs: number, turnPerFrame: number): number => {
  const world = new World({ seed: 4, faults: NO_FAULTS })
  const solver = new LocalizationSolver({ map: world.map, hash: 'x', config, revision: 1 })
  let std = Number.NaN
  for (let n = 0; n < 12; n++) {
    const capturedUs = 1_000_000 + n * STEP_US
    const robot = { ...turned(0.5 + (n - 11) * turnPerFrame), x: 3, y: 4 }
    const frames = world.frames(robot, capturedUs)
    for (const { observation } of frames) observation[WITH_EXPOSURE] = exposureUs
    const round: Round = { frames, capturedUs }
    std = solver.solve(round).solved?.pixelCovariance[35] ?? Number.NaN
  }
  return Math.sqrt(std)
}

test('a robot that turns fast is less sure of its pose the longer its pictures are exposed', () => {
  const [sharp, short, long] = [1, 2_000, 8_000].map((us) => yawStdAfter(us, 0.1)) as [number, number, number]

  assert.ok(short > 1.2 * sharp, `${short} ${sharp}`)
  assert.ok(long > 1.2 * short, `${long} ${short}`)
  isNear(yawStdAfter(8_000, 0) / yawStdAfter(1, 0), 1, 0.01)
})

test('an exposure that nobody knows is taken for that of a camera in a hall', () => {
  const observation = new Float64Array(OBSERVATION_HEAD.length)
  assert.equal(exposureUsOf(observation), 10_000)
  observation[WITH_EXPOSURE] = 250
  assert.equal(exposureUsOf(observation), 250)
  assert.equal(yawStdAfter(0, 0.1), yawStdAfter(10_000, 0.1))
})
