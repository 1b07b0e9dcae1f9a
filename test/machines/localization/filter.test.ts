// Rounds and odometry together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlanarMeasurement, PoseFilter } from '../../../machines/localization/filter.ts'
import { OdometryLog } from '../../../machines/localization/odometry.ts'
import { composePlanar, type Planar, planarBetween } from '../../../machines/localization/planar.ts'
import { deviationsOf } from '../../../machines/localization/planar-covariance.ts'
import { chance } from '../../support/localization/chance.ts'
import {
  Drive,
  figuresOf,
  offOfFused,
  offOfOdometry,
  offOfRounds,
  offOfStill,
  runDrive,
} from '../../support/localization/drives.ts'
import { DEFAULT_CONFIG, USUAL_FAULTS } from '../../support/localization/worlds.ts'

const MS = 1_000
const MAX_CHI2 = 16.3

/** Drives a circle: 2 m/s, 1 radian a second. */
const truthAt = (atUs: number): Planar => {
  const yaw = atUs / 1e6
  return { x: 2 * Math.sin(yaw), y: 2 - 2 * Math.cos(yaw), yaw }
}

const diagonal = (x: number, y: number, yaw: number): Float64Array =>
  Float64Array.of(x * x, 0, 0, 0, y * y, 0, 0, 0, yaw * yaw)

const measured = (ms: number, off: Partial<Planar> = {}, std = 0.03): PlanarMeasurement => {
  const { x, y, yaw } = truthAt(ms * MS)
  return {
    atUs: ms * MS,
    place: { x: x + (off.x ?? 0), y: y + (off.y ?? 0), yaw: yaw + (off.yaw ?? 0) },
    covariance: diagonal(std, std, std / 2),
    pixelCovariance: diagonal(std / 3, std / 3, std / 6),
  }
}

/** With odometry of that robot each 20 ms, of an origin of its own. */
const filterWith = (toMs = 3_000) => {
  const log = new OdometryLog()
  const origin = { x: -7, y: 3, yaw: 2 }
  for (let ms = 0; ms <= toMs; ms += 20) {
    const driven = planarBetween(truthAt(0), truthAt(ms * MS))
    log.add({ atUs: ms * MS, ...composePlanar(origin, driven) })
  }
  return { log, filter: new PoseFilter({ log, maxChi2: MAX_CHI2 }) }
}

const distanceAt = (filter: PoseFilter, ms: number): number => {
  const found = filter.at(ms * MS)
  assert.ok(found, `nothing is known at ${ms}`)
  const truth = truthAt(ms * MS)
  return Math.hypot(found.place.x - truth.x, found.place.y - truth.y)
}

test('one measurement and the odometry tell where the robot is at any later time, ever less surely', () => {
  const { filter } = filterWith()

  assert.equal(filter.at(1_000 * MS), undefined)
  assert.equal(filter.measure(measured(1_007)), 'started')

  assert.ok(distanceAt(filter, 1_007) < 1e-9)
  assert.ok(distanceAt(filter, 2_951) < 1e-6)
  const deviations = [1_007, 1_500, 2_500].map((ms) =>
    deviationsOf(filter.at(ms * MS)?.covariance ?? diagonal(0, 0, 0)),
  )
  assert.ok(deviations.every(([x], n) => n === 0 || x > (deviations[n - 1]?.[0] ?? 0)))
  assert.equal(filter.at(1_006 * MS), undefined)
})

test('where odometry ends, so does what is known, until the next measurement begins again', () => {
  const { filter } = filterWith(1_500)
  filter.measure(measured(1_000))

  assert.ok(filter.at(1_700 * MS))
  assert.equal(filter.at(1_701 * MS), undefined)
  assert.equal(filter.measure(measured(2_000)), 'started')
})

test('measurements are put at their own time, between two samples of odometry', () => {
  const { filter } = filterWith()
  for (let ms = 1_009; ms < 2_000; ms += 33) filter.measure(measured(ms))

  assert.ok(distanceAt(filter, 2_100) < 1e-6)
})

test('a measurement that comes late says the same as if it had come in time', () => {
  const { even } = chance(5)
  const noisy = [1_000, 1_040, 1_100, 1_150, 1_230, 1_300].map((ms) =>
    measured(ms, { x: 0.02 * even(), y: 0.02 * even(), yaw: 0.01 * even() }),
  )
  const order = (...indices: readonly number[]) => {
    const { filter } = filterWith()
    const verdicts = indices.map((n) => filter.measure(noisy[n] as PlanarMeasurement))
    return { verdicts, estimate: filter.at(1_400 * MS) }
  }

  const inTime = order(0, 1, 2, 3, 4, 5)
  const late = order(0, 2, 4, 1, 5, 3)

  assert.deepEqual(late.verdicts, ['started', 'taken', 'taken', 'taken', 'taken', 'taken'])
  assert.ok(Math.abs((inTime.estimate?.place.x ?? 0) - (late.estimate?.place.x ?? 1)) < 1e-9)
  for (const [n, value] of (inTime.estimate?.covariance ?? []).entries())
    assert.ok(Math.abs(value - (late.estimate?.covariance[n] ?? 1)) < 1e-9)
})

test('what is older than half a second, or than all that is known, is too late', () => {
  const { filter } = filterWith()
  for (const ms of [1_000, 1_300, 1_600, 1_900]) filter.measure(measured(ms))

  assert.equal(filter.measure(measured(1_399)), 'too_late')
  assert.equal(filterWith().filter.measure(measured(1_000)), 'started')
  const { filter: young } = filterWith()
  young.measure(measured(1_000))
  assert.equal(young.measure(measured(900)), 'too_late')
})

test('what contradicts is refused and changes nothing, by all three numbers together', () => {
  const { filter } = filterWith()
  for (let ms = 1_000; ms < 1_500; ms += 50) filter.measure(measured(ms))

  assert.equal(filter.measure(measured(1_500, { x: 0.5 })), 'refused')
  assert.equal(filter.measure(measured(1_530, { yaw: 0.3 })), 'refused')
  assert.equal(filter.measure(measured(1_560, { x: 0.05 })), 'taken')
  assert.ok(distanceAt(filter, 1_600) < 0.02)
})

test('four refused ones that agree are right: the robot was pushed', () => {
  const { filter } = filterWith()
  for (let ms = 1_000; ms < 1_500; ms += 33) filter.measure(measured(ms))

  const verdicts = [1_500, 1_533, 1_566, 1_599].map((ms) => filter.measure(measured(ms, { y: 0.6 })))

  assert.deepEqual(verdicts, ['refused', 'refused', 'refused', 'taken'])
  for (let ms = 1_632; ms < 1_800; ms += 33) assert.equal(filter.measure(measured(ms, { y: 0.6 })), 'taken')
  assert.ok(Math.abs(distanceAt(filter, 1_800) - 0.6) < 0.1)
})

test('refused ones that contradict one another are never taken', () => {
  const { filter } = filterWith()
  for (let ms = 1_000; ms < 1_500; ms += 33) filter.measure(measured(ms))

  for (let n = 0; n < 12; n++)
    assert.equal(filter.measure(measured(1_500 + 33 * n, n % 2 ? { y: 0.8 } : { x: -0.8 })), 'refused')
})

test('what is systematic does not become surer with every round', () => {
  const { filter } = filterWith()
  const same = (ms: number, pixels: number): PlanarMeasurement => {
    const each = measured(ms)
    return { ...each, pixelCovariance: each.covariance.map((value) => value * pixels) }
  }
  const after = (pixels: number): number => {
    filter.clear()
    for (let ms = 1_000; ms < 2_000; ms += 10) filter.measure(same(ms, pixels))
    return deviationsOf(filter.at(2_000 * MS)?.covariance ?? diagonal(0, 0, 0))[0]
  }

  assert.ok(after(0) > 1.4 * after(1))
})

test('what was forgotten says nothing', () => {
  const { filter } = filterWith()
  filter.measure(measured(1_000))

  filter.clear()

  assert.equal(filter.at(1_000 * MS), undefined)
})

test('on a drive with shoves and hidden tags, the filter is off by a fifth of what odometry is, and says so', () => {
  const drive = new Drive({ seed: 3, seconds: 32 })

  const run = runDrive(drive)

  const [fused, odometry] = [figuresOf(offOfFused(run)), figuresOf(offOfOdometry(drive))]
  assert.ok(fused.rms < 0.2 * odometry.rms, `${fused.rms} cm, and odometry ${odometry.rms} cm`)
  assert.ok(fused.rms <= 3.6 && fused.p50 <= 1.7 && fused.p95 <= 7.1, JSON.stringify(fused))
  assert.ok(fused.within[0] >= 68 && fused.within[1] >= 94 && fused.within[2] >= 98, JSON.stringify(fused.within))
  assert.ok(run.rounds.every(({ fused }) => fused === undefined || Object.values(fused.pose).every(Number.isFinite)))
})

test('without odometry, a fast robot is found as well as one that stands', () => {
  const options = { seconds: 20, faults: USUAL_FAULTS, speed_m_s: 3, turn_deg_s: 180, hidden: 0, shove_m: 0 }
  for (const fps of [30, 60]) {
    const drive = new Drive({ ...options, seed: 2, fps })

    const run = runDrive(drive, { odometry: false })

    const [moving, still] = [figuresOf(offOfRounds(drive, run)), figuresOf(offOfStill(drive))]
    assert.ok(moving.p50 <= still.p50 + 0.5, `${moving.p50} cm at ${fps} fps, and ${still.p50} cm still`)
    assert.ok(run.rounds.every((solved) => solved.fused === undefined))
  }
})

test('a robot that sets its pose and its gyro while it drives is not moved by that', () => {
  const drive = new Drive({ seed: 4, seconds: 16, shove_m: 0 })
  const setUs = drive.startUs + 8_000_000

  const plain = figuresOf(offOfFused(runDrive(drive)))
  const set = figuresOf(
    offOfFused(
      runDrive(drive, {
        changed: (sample) =>
          sample.atUs < setUs ? sample : { ...sample, ...composePlanar({ x: 4, y: -9, yaw: 1.4 }, sample) },
      }),
    ),
  )

  assert.ok(set.max <= plain.max + 8, `${set.max} cm, and ${plain.max} cm`)
  assert.ok(set.p95 <= plain.p95 + 1, `${set.p95} cm, and ${plain.p95} cm`)
})

test('a round that the filter refuses is not given to the robot, and its tags say why', () => {
  const config = { ...DEFAULT_CONFIG, gate: { ...DEFAULT_CONFIG.gate, fused_chi2: 3 } }

  const { rounds } = runDrive(new Drive({ seed: 1, seconds: 16 }), { config })

  const refused = rounds.filter(({ tags }) => tags.some(({ reason }) => reason === 'against_prediction'))
  assert.ok(refused.length > 3, `${refused.length} refused`)
  for (const { isSure, solved, tags } of refused) {
    assert.ok(solved && !isSure)
    assert.ok(tags.every(({ used }) => !used))
  }
})
