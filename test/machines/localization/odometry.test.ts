// What a robot's wheels say, between samples and across resets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OdometryLog, type OdometrySample, readPose2d } from '../../../machines/localization/odometry.ts'
import { composePlanar, type Planar, partOfPlanar, planarBetween } from '../../../machines/localization/planar.ts'

const MS = 1_000

const isNear = (found: Planar | undefined, x: number, y: number, yaw: number, by = 1e-9) => {
  assert.ok(found, 'nothing is known')
  const off = Math.max(Math.abs(found.x - x), Math.abs(found.y - y), Math.abs(found.yaw - yaw))
  assert.ok(off <= by, `${found.x} ${found.y} ${found.yaw}, not ${x} ${y} ${yaw}`)
}

/** A robot on a circle: 2 m/s forward, 3 radians a second to the left. */
const onCircle = (atUs: number): Planar => {
  const yaw = (3 * atUs) / 1e6
  return { x: (2 / 3) * Math.sin(yaw), y: (2 / 3) * (1 - Math.cos(yaw)), yaw }
}

const circling = (fromMs: number, toMs: number, eachMs = 20): OdometryLog => {
  const log = new OdometryLog()
  for (let ms = fromMs; ms <= toMs; ms += eachMs) log.add({ atUs: ms * MS, ...onCircle(ms * MS) })
  return log
}

const sample = (ms: number, x: number, y = 0, yaw = 0): OdometrySample => ({ atUs: ms * MS, x, y, yaw })

const bytesOf = (...numbers: readonly number[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8 * numbers.length))
  numbers.forEach((number, n) => {
    view.setFloat64(8 * n, number, true)
  })
  return new Uint8Array(view.buffer)
}

test('a Pose2d is read as x, y and yaw, wherever its bytes lie', () => {
  const within = new Uint8Array(30)
  within.set(bytesOf(1.5, -2, 0.25), 3)

  assert.deepEqual(readPose2d(within.subarray(3, 27), 77), { atUs: 77, x: 1.5, y: -2, yaw: 0.25 })
})

test('what is no Pose2d is none: another length, or numbers that no robot has', () => {
  for (const bytes of [bytesOf(1, 2), bytesOf(1, 2, 3, 4), bytesOf(1, 2, 3).subarray(1), new Uint8Array()])
    assert.equal(readPose2d(bytes, 0), undefined)
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, -1e300])
    for (const numbers of [
      [odd, 0, 0],
      [0, odd, 0],
      [0, 0, odd],
    ])
      assert.equal(readPose2d(bytesOf(...numbers), 0), undefined)
})

test('between two samples the robot is on the arc between them', () => {
  const log = circling(1_000, 1_200)

  for (const [from, to] of [
    [1_013, 1_047],
    [1_150, 1_031],
  ] as const) {
    const { x, y, yaw } = planarBetween(onCircle(from * MS), onCircle(to * MS))
    isNear(log.between(from * MS, to * MS), x, y, yaw)
  }
})

test('after the newest sample the robot goes on at its speed for 0.2 s, and before the oldest nothing is known', () => {
  const log = circling(1_000, 1_200)

  const { x, y, yaw } = planarBetween(onCircle(1_100 * MS), onCircle(1_260 * MS))
  isNear(log.between(1_100 * MS, 1_260 * MS), x, y, yaw)
  assert.ok(log.at(1_400 * MS))
  assert.equal(log.at(1_401 * MS), undefined)
  assert.equal(log.at(999 * MS), undefined)
})

test('within a silence of more than 0.2 s nothing is known, but how far the robot came in it is', () => {
  const log = new OdometryLog()
  for (const each of [sample(1_000, 0), sample(1_020, 0), sample(1_900, 1), sample(1_920, 1)]) log.add(each)

  assert.equal(log.at(1_500 * MS), undefined)
  isNear(log.between(1_020 * MS, 1_900 * MS), 1, 0, 0)
})

test('a robot program that sets its pose does not move the robot, which goes on as before', () => {
  const log = new OdometryLog()
  for (const each of [sample(1_000, 0), sample(1_020, 0.04), sample(1_040, 8, 4, 3.1), sample(1_060, 7.96, 4, 3.1)])
    log.add(each)

  isNear(log.between(1_000 * MS, 1_040 * MS), 0.08, 0, 0)
  isNear(log.between(1_040 * MS, 1_060 * MS), -0.04 * Math.cos(3.1), 0.04 * Math.sin(3.1), 0)
})

test('a gyro that is set to zero does not turn the robot, and one that passes half a turn turns it a little', () => {
  const log = new OdometryLog()
  for (const each of [sample(1_000, 0, 0, 2), sample(1_020, 0, 0, 2), sample(1_040, 0, 0, 0)]) log.add(each)
  for (const each of [sample(1_060, 0, 0, 0.1), sample(1_080, 0, 0, 0.1 - 2 * Math.PI)]) log.add(each)

  isNear(log.between(1_000 * MS, 1_040 * MS), 0, 0, 0)
  isNear(log.between(1_060 * MS, 1_080 * MS), 0, 0, 0)
})

test('half a metre within 0.1 s is a fast robot, not a set pose', () => {
  const log = new OdometryLog()
  for (const each of [sample(1_000, 0), sample(1_100, 0.55)]) log.add(each)

  isNear(log.between(1_000 * MS, 1_100 * MS), 0.55, 0, 0)
})

test('a repeat is ignored; a clock that was set back begins again', () => {
  const log = circling(1_000, 1_200)

  assert.equal(log.add(sample(1_200, 5)), false)
  assert.equal(log.add(sample(1_050, 5)), false)
  assert.equal(log.newestUs, 1_200 * MS)
  assert.equal(log.add(sample(500, 5)), true)
  assert.equal(log.newestUs, 500 * MS)
  assert.equal(log.at(1_100 * MS), undefined)
})

test('more samples than are kept push out the oldest', () => {
  const log = circling(0, 6_000, 4)

  assert.equal(log.at(1_000 * MS), undefined)
  const { x, y, yaw } = planarBetween(onCircle(3_001 * MS), onCircle(5_999 * MS))
  isNear(log.between(3_001 * MS, 5_999 * MS), x, y, yaw, 1e-6)
})

test('the shares of a step make the whole step, whatever it is', () => {
  const part = fc.double({ min: -1, max: 1, noNaN: true })
  const step = fc.record({ x: part, y: part, yaw: fc.double({ min: -3, max: 3, noNaN: true }) })

  fc.assert(
    fc.property(step, fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
      const rest = partOfPlanar(whole, 1 - share)
      const { x, y, yaw } = composePlanar(partOfPlanar(whole, share), rest)
      isNear({ x, y, yaw }, whole.x, whole.y, whole.yaw, 1e-7)
    }),
  )
})
