// Where the robot is by rounds and its odometry together. It decides which rounds are believed, and tells of now what
// rounds tell of a moment ago. A robot that fuses by itself takes the rounds, not this: its odometry would count twice.
import type { OdometryLog } from './odometry.ts'
import { composePlanar, type Planar, rotatePlanar, wrapAngle } from './planar.ts'
import {
  addCovariance,
  carryCovariance,
  chi2Of,
  covarianceOf,
  inverse,
  type PlanarCovariance,
  product,
  timesDifference,
} from './planar-covariance.ts'

/** What a round says. */
export interface PlanarMeasurement {
  readonly atUs: number
  /** The robot on the field. */
  readonly place: Planar
  /** With all terms. */
  readonly covariance: PlanarCovariance
  /** Only what averages out over rounds: the noise of the pixels. */
  readonly pixelCovariance: PlanarCovariance
}

/** Where the robot is, and how sure that is. */
export interface PlanarEstimate {
  readonly place: Planar
  readonly covariance: PlanarCovariance
}

/** started: the first, or the first after a silence of the odometry. refused: by its contradiction to the others. */
export type Verdict = 'started' | 'taken' | 'refused' | 'too_late'

/** What comes later than that is not put in its place any more. */
const HISTORY_US = 500_000

/** Maps, mounts and lenses are off in the next round as well: what is not the pixels' noise counts so many times. */
const SYSTEMATIC = 5

/** So many refused rounds that agree with one another are right: the robot was pushed, or carried. */
const MIN_AGREEING = 4

/** Odometry is followed in steps of that, so that what a turn makes of a doubt is right. */
const MAX_STEP_US = 50_000

/** How far odometry is off, one deviation: of a metre driven, of a radian turned, and of a second. */
const STD_OF_METRE = 0.04
const STD_OF_RADIAN = 0.005
const STD_OF_SECOND_M = 0.01
const STD_OF_SECOND_RAD = 0.001

/** A measurement in its place, with what is known after it. */
interface Entry {
  readonly measurement: PlanarMeasurement
  readonly estimate: PlanarEstimate
}

/** How the filter decides. */
export interface FilterOptions {
  readonly log: OdometryLog
  /** `gate.fused_chi2` of the config: above that of its three numbers, a measurement is refused. */
  readonly maxChi2: number
}

/**
 * A Kalman filter of x, y and yaw, whose prediction is the odometry: at the very time of each measurement, not at that
 * of the sample before it. A measurement that comes late is put in its place, and what followed is taken again.
 */
export class PoseFilter {
  readonly #log: OdometryLog
  readonly #maxChi2: number
  /** Oldest first; the oldest may be older than the history, as its beginning. */
  #entries: readonly Entry[] = []
  #refused: readonly PlanarMeasurement[] = []

  constructor({ log, maxChi2 }: FilterOptions) {
    this.#log = log
    this.#maxChi2 = maxChi2
  }

  clear(): void {
    this.#entries = []
    this.#refused = []
  }

  /** Where the robot is then; undefined: nothing was measured yet, or odometry does not reach so far. */
  at(atUs: number): PlanarEstimate | undefined {
    const base = this.#entries.findLast(({ measurement }) => measurement.atUs <= atUs)
    return base && this.#carry(base, atUs)
  }

  /** What a measurement contradicts by; undefined: there is nothing that it could contradict. */
  chi2(measurement: PlanarMeasurement): number | undefined {
    const predicted = this.at(measurement.atUs)
    return predicted && contradiction(predicted, measurement)
  }

  measure(measurement: PlanarMeasurement): Verdict {
    const newestUs = this.#entries.at(-1)?.measurement.atUs ?? Number.NEGATIVE_INFINITY
    if (measurement.atUs < newestUs - HISTORY_US) return 'too_late'
    const predicted = this.at(measurement.atUs)
    if (!predicted) {
      if (measurement.atUs < newestUs) return 'too_late'
      this.#entries = [{ measurement, estimate: startOf(measurement) }]
      this.#refused = []
      return 'started'
    }
    const chi2 = contradiction(predicted, measurement)
    if (chi2 > this.#maxChi2 && !this.#isAgreed(measurement)) return 'refused'
    const widened = chi2 > this.#maxChi2 ? widen(predicted, measurement) : predicted
    this.#refused = []
    this.#insert({ measurement, estimate: update(widened, measurement) })
    return 'taken'
  }

  /** Whether it is the fourth of those that are refused and say the same. */
  #isAgreed(measurement: PlanarMeasurement): boolean {
    const agrees = (other: PlanarMeasurement): boolean => {
      const driven = this.#log.between(other.atUs, measurement.atUs)
      if (!driven || measurement.atUs - other.atUs > HISTORY_US) return false
      const moved = { place: composePlanar(other.place, driven), covariance: other.covariance }
      return contradiction(moved, measurement) <= this.#maxChi2
    }
    this.#refused = [...this.#refused.filter(agrees), measurement]
    return this.#refused.length >= MIN_AGREEING
  }

  /** What followed is taken again, whatever it says of what is known now: it was believed. */
  #insert(entry: Entry): void {
    const { atUs } = entry.measurement
    const kept = this.#entries.filter(({ measurement }) => measurement.atUs <= atUs)
    const later = this.#entries.slice(kept.length)
    const entries = [...kept, entry]
    for (const { measurement } of later) {
      const predicted = this.#carry(entries.at(-1) as Entry, measurement.atUs)
      if (predicted) entries.push({ measurement, estimate: update(predicted, measurement) })
    }
    const oldestUs = (entries.at(-1) as Entry).measurement.atUs - HISTORY_US
    const first = entries.findLastIndex(({ measurement }) => measurement.atUs <= oldestUs)
    this.#entries = entries.slice(Math.max(0, first))
  }

  #carry({ measurement, estimate }: Entry, untilUs: number): PlanarEstimate | undefined {
    let { place, covariance } = estimate
    const steps = Math.ceil((untilUs - measurement.atUs) / MAX_STEP_US)
    const stepUs = (untilUs - measurement.atUs) / steps
    for (let n = 0; n < steps; n++) {
      const fromUs = measurement.atUs + n * stepUs
      const driven = this.#log.between(fromUs, fromUs + stepUs)
      if (!driven) return undefined
      covariance = addCovariance(carryCovariance(covariance, rotatePlanar(place, driven)), doubtOf(driven, stepUs))
      place = composePlanar(place, driven)
    }
    return { place, covariance }
  }
}

/** How far odometry may be off in that step. */
const doubtOf = ({ x, y, yaw }: Planar, forUs: number): PlanarCovariance => {
  const seconds = forUs / 1e6
  const place = STD_OF_METRE ** 2 * Math.hypot(x, y) + STD_OF_SECOND_M ** 2 * seconds
  const turn = STD_OF_RADIAN ** 2 * Math.abs(yaw) + STD_OF_SECOND_RAD ** 2 * seconds
  return Float64Array.of(place, 0, 0, 0, place, 0, 0, 0, turn)
}

const differenceOf = (measured: Planar, predicted: Planar): Planar => ({
  x: measured.x - predicted.x,
  y: measured.y - predicted.y,
  yaw: wrapAngle(measured.yaw - predicted.yaw),
})

/** By the plain covariance of what is measured: what is systematic in it is in what is known as well. */
const contradiction = (known: PlanarEstimate, measured: PlanarMeasurement): number =>
  chi2Of(differenceOf(measured.place, known.place), addCovariance(known.covariance, measured.covariance))

/** What is known is in doubt by what the measurement contradicts it. */
const widen = ({ place, covariance }: PlanarEstimate, measured: PlanarMeasurement): PlanarEstimate => ({
  place,
  covariance: addCovariance(covariance, covarianceOf(differenceOf(measured.place, place))),
})

const startOf = ({ place, covariance }: PlanarMeasurement): PlanarEstimate => ({ place, covariance })

/** The covariance by which a measurement counts, so that the systematic part does not shrink with each round. */
const noiseOf = ({ covariance, pixelCovariance }: PlanarMeasurement): PlanarCovariance =>
  addCovariance(pixelCovariance, addCovariance(covariance, pixelCovariance, -1), SYSTEMATIC)

const update = ({ place, covariance }: PlanarEstimate, measured: PlanarMeasurement): PlanarEstimate => {
  const information = inverse(addCovariance(covariance, noiseOf(measured)))
  if (!information) return { place, covariance }
  const gain = product(covariance, information)
  const { x, y, yaw } = timesDifference(gain, differenceOf(measured.place, place))
  return {
    place: { x: place.x + x, y: place.y + y, yaw: place.yaw + yaw },
    covariance: symmetric(addCovariance(covariance, product(gain, covariance), -1)),
  }
}

/** Rounding would pull its two halves apart. */
const symmetric = (a: PlanarCovariance): PlanarCovariance =>
  a.map((value, n) => (value + (a[3 * (n % 3) + Math.floor(n / 3)] as number)) / 2)
