// Poses of other programs, whatever frame they are given in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deviationsOfRobot,
  frameOf,
  needsField,
  robotOfSensor,
} from '../../../machines/localization/external/frames.ts'
import { compose, invert, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import { seeded } from '../../support/engine/random-graphs.ts'

/** A number from 0 to 1 by chance. */
const chance = (seed: number) => {
  const below = seeded(seed)
  return () => below(2 ** 30) / 2 ** 30
}

const field = { length_m: 16.541, width_m: 8.069 }
const blue = frameOf('blue', field)

const placeOf = (x_m: number, y_m: number, yaw_deg: number): Pose =>
  poseFromDocument({ x_m, y_m, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg })

const assertSame = (found: Pose, wanted: Pose): void => {
  const difference = compose(invert(wanted), found)
  assert.ok(Math.hypot(difference.x, difference.y, difference.z) < 1e-9, JSON.stringify([found, wanted]))
  assert.ok(1 - Math.abs(difference.qw) < 1e-12, JSON.stringify([found, wanted]))
}

test('the red corner is opposite, and from there one looks back', () => {
  assertSame(compose(frameOf('red', field), placeOf(0, 0, 0)), placeOf(field.length_m, field.width_m, 180))
  assertSame(compose(frameOf('red', field), placeOf(2, 1, 30)), placeOf(field.length_m - 2, field.width_m - 1, -150))
  assertSame(compose(frameOf('centre', field), placeOf(1, -1, 30)), placeOf(9.2705, 3.0345, 30))
})

test('only where its place on the field is not known without, the size of the field is needed', () => {
  assert.deepEqual((['blue', 'red', 'centre', 'own'] as const).map(needsField), [false, true, true, false])
})

test('whatever the pose, from any origin and from a sensor anywhere on the robot it is the same robot', () => {
  const next = chance(7)
  const any = (): Pose =>
    poseFromDocument({
      x_m: next() * 16,
      y_m: next() * 8,
      z_m: next() - 0.5,
      roll_deg: next() * 360 - 180,
      pitch_deg: next() * 180 - 90,
      yaw_deg: next() * 360 - 180,
    })
  for (let n = 0; n < 2_000; n++) {
    const [robot, mount] = [any(), any()]
    for (const origin of ['blue', 'red', 'centre', 'own'] as const) {
      const frame = frameOf(origin, field)
      const seen = compose(invert(frame), robot)
      const sensor = compose(seen, mount)

      assertSame(compose(frame, robotOfSensor(sensor, mount)), robot)
    }
  }
  assertSame(blue, placeOf(0, 0, 0))
})

test('what a sensor may be turned moves the robot below it, as on a lever', () => {
  const RAD = Math.PI / 180
  const std = [0.01, 0.01, 0.01, 0, 0, 1 * RAD] as const
  const front = placeOf(0.5, 0, 0)

  const along = deviationsOfRobot(std, placeOf(3, 3, 0), front)
  const across = deviationsOfRobot(std, placeOf(3, 3, 90), front)

  const lever = Math.hypot(0.01, 0.5 * RAD)
  assert.ok(Math.abs(along[1] - lever) < 1e-12 && Math.abs(along[0] - 0.01) < 1e-12, String(along))
  assert.ok(Math.abs(across[0] - lever) < 1e-12 && Math.abs(across[1] - 0.01) < 1e-9, String(across))
  assert.deepEqual(along.slice(3), [0, 0, 1 * RAD])
})

test('deviations of the robot are those that many sensors, each off by chance, would show', () => {
  const next = chance(11)
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const std = [0.02, 0.01, 0.03, 0.01, 0.02, 0.015] as const
  const mount = poseFromDocument({ x_m: 0.3, y_m: -0.2, z_m: 0.6, roll_deg: 10, pitch_deg: -20, yaw_deg: 130 })
  const sensor = poseFromDocument({ x_m: 3, y_m: 2, z_m: 0.6, roll_deg: 5, pitch_deg: 15, yaw_deg: 40 })
  const meant = robotOfSensor(sensor, mount)
  const sums = [0, 0, 0]
  const COUNT = 20_000
  for (let n = 0; n < COUNT; n++) {
    const [dx, dy, dz, roll, pitch, yaw] = std.map((each) => each * normal()) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const turned = compose({ x: 0, y: 0, z: 0, ...smallTurn(roll, pitch, yaw) }, { ...sensor, x: 0, y: 0, z: 0 })
    const robot = robotOfSensor({ ...turned, x: sensor.x + dx, y: sensor.y + dy, z: sensor.z + dz }, mount)
    for (const [axis, off] of [robot.x - meant.x, robot.y - meant.y, robot.z - meant.z].entries())
      sums[axis] = (sums[axis] ?? 0) + off * off
  }

  const claimed = deviationsOfRobot(std, sensor, mount)
  for (const [axis, sum] of sums.entries()) {
    const ratio = Math.sqrt(sum / COUNT) / (claimed[axis] ?? 0)
    assert.ok(ratio > 0.97 && ratio < 1.03, `axis ${axis}: ${ratio}`)
  }
})

/** A rotation by small angles about the axes of the field. */
const smallTurn = (roll: number, pitch: number, yaw: number) => {
  const angle = Math.hypot(roll, pitch, yaw)
  const share = angle === 0 ? 0 : Math.sin(angle / 2) / angle
  return { qw: Math.cos(angle / 2), qx: roll * share, qy: pitch * share, qz: yaw * share }
}
