// The heading of this device's IMU, for a robot that says none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poseOfPlanar, wrapAngle } from '../../../machines/localization/planar.ts'
import type { Pose } from '../../../machines/localization/pose.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { DEFAULT_CONFIG, World } from '../../support/localization/worlds.ts'

const DEG = Math.PI / 180
const robot = poseOfPlanar({ x: 6, y: 3, yaw: 20 * DEG })
const MEASURED = 0.02 * DEG
const UNMEASURED = 0.3 * DEG

const solverOf = (world: World): LocalizationSolver =>
  new LocalizationSolver({ map: world.map, hash: 'f00d', config: DEFAULT_CONFIG, revision: 7 })

/** Looks 30 times a second at a robot that stands; the IMU says its yaw each hundredth of a second. */
const lookAt = (
  { world, solver, pose = robot }: { world: World; solver: LocalizationSolver; pose?: Pose },
  [fromS, toS]: readonly [number, number],
  say: (atUs: number) => void,
): readonly Solved[] => {
  const rounds: Solved[] = []
  for (let n = 0; n < 100 * (toS - fromS); n++) {
    const atUs = Math.round(1e6 * fromS + n * 1e4)
    say(atUs)
    if (n % 3 === 2) rounds.push(solver.solve({ frames: world.frames(pose, atUs - 5_000), capturedUs: atUs - 5_000 }))
  }
  return rounds
}

test('the offset of an IMU is learnt, its heading is used, and nobody is warned of its origin', () => {
  const world = new World({ seed: 2 })
  const solver = solverOf(world)

  const rounds = lookAt({ world, solver }, [1, 4], (atUs) => solver.inertial(-70 * DEG, atUs, MEASURED))

  const last = rounds.at(-1)
  assert.ok(last?.heading.used && last.heading.from === 'imu')
  assert.ok(Math.abs(wrapAngle(last.heading.offset - 90 * DEG)) < 0.6 * DEG, `${last.heading.offset / DEG}`)
  assert.equal(solver.headingWarningAt(last.capturedUs), undefined)
})

test('a heading of the robot wins, and so does the yaw of its odometry; the IMU stands in when both are silent', () => {
  const world = new World({ seed: 3 })
  const solver = solverOf(world)
  const inertial = (atUs: number) => solver.inertial(1, atUs, MEASURED)

  const alone = lookAt({ world, solver }, [1, 2], inertial).at(-1)
  const said = lookAt({ world, solver }, [2, 3], (atUs) => {
    inertial(atUs)
    solver.heading(2, atUs)
  }).at(-1)
  const driven = lookAt({ world, solver }, [5, 6], (atUs) => {
    solver.odometry({ atUs, x: 0, y: 0, yaw: 3 })
    inertial(atUs)
  }).at(-1)
  const silent = lookAt({ world, solver }, [8, 9], inertial).at(-1)

  assert.deepEqual([alone?.heading.from, said?.heading.from], ['imu', 'robot'])
  assert.deepEqual([alone?.heading.said, said?.heading.said], [1, 2])
  assert.deepEqual([driven?.heading.from, driven?.heading.said], ['odometry', 3])
  assert.deepEqual([silent?.heading.from, silent?.heading.said], ['imu', 1])
})

test('an IMU whose bias nobody has measured is trusted for seconds without tags, a measured one for longer', () => {
  const isUsedAfter = (seconds: number, runaway: number): boolean => {
    const world = new World({ seed: 4 })
    const solver = solverOf(world)
    const say = (atUs: number) => solver.inertial(0.4, atUs, runaway)
    lookAt({ world, solver }, [1, 3], say)
    for (let us = 3e6; us < (3 + seconds) * 1e6; us += 1e4) say(us)
    const [first] = lookAt({ world, solver }, [3 + seconds, 3.1 + seconds], say)
    return Number.isFinite(first?.heading.offset) && (first?.heading.used ?? false)
  }

  assert.deepEqual([isUsedAfter(0.5, UNMEASURED), isUsedAfter(10, UNMEASURED)], [true, false])
  assert.deepEqual([isUsedAfter(10, MEASURED), isUsedAfter(40, MEASURED)], [true, false])
})
