// How fast the robot drives and turns by what was solved of it, where it says nothing itself.
import { wrapAngle, yawOf } from './planar.ts'
import { compose, identityPose, normalise, type Pose } from './pose.ts'

/** What an axis may be off: metres, or radians. */
export type AxisNoise = readonly [x: number, y: number, yaw: number]

/** How far a step on the floor may be off: along each axis, metres, and about the vertical, radians. */
export interface PlanarStd {
  readonly m: number
  readonly rad: number
}

/** A step that is known. */
export const EXACT_STEP: PlanarStd = { m: 0, rad: 0 }

/** A speed that is older than that says nothing. */
export const MAX_COAST_US = 300_000

/** How fast speeds change: variance of the speed, of one second. A robot gains 0.6 m/s and 0.9 rad/s in 0.1 s. */
const DRIVE_CHANGE = 4
const TURN_CHANGE = 8

/** Before anything was measured, one deviation. */
const START_SPEED_M_S = 10
const START_TURN_RATE = 30

/** A speed that is less sure is not used. */
const MAX_SPEED_STD_M_S = 1.5
const MAX_TURN_RATE_STD = 2

/** A pose that is so many deviations off is another place, or the one before was: it says nothing of the speed. */
const MAX_OFF = 5

/** By which that leaves the speed in doubt, one deviation. */
const JUMP_SPEED = 0.7

/** Frames of a round are moved to one time by the speed, so that its error is in each pose as well. */
const MIN_NOISE_M = 0.005
const MIN_NOISE_RAD = 0.002

/** One coordinate and its speed: a Kalman filter whose speed changes at random. */
class Axis {
  readonly #change: number
  readonly #startSpeed: number
  place = 0
  speed = 0
  #placeVariance = 0
  #both = 0
  #speedVariance = 0

  constructor(change: number, startSpeed: number) {
    this.#change = change
    this.#startSpeed = startSpeed
  }

  get speedStd(): number {
    return Math.sqrt(this.#speedVariance)
  }

  speedVarianceAfter(seconds: number): number {
    return this.#speedVariance + this.#change * seconds
  }

  start(place: number, variance: number): void {
    this.place = place
    this.speed = 0
    this.#placeVariance = variance
    this.#both = 0
    this.#speedVariance = this.#startSpeed ** 2
  }

  pass(seconds: number): void {
    const change = this.#change * seconds
    this.place += this.speed * seconds
    this.#placeVariance += seconds * (2 * this.#both + seconds * (this.#speedVariance + change / 3))
    this.#both += seconds * (this.#speedVariance + change / 2)
    this.#speedVariance += change
  }

  /** It is elsewhere than thought, and as fast. */
  jump(place: number, variance: number): void {
    this.place = place
    this.#placeVariance = variance
    this.#both = 0
    this.#speedVariance += JUMP_SPEED ** 2
  }

  /** off: what is measured minus what was expected. */
  isOff(off: number, variance: number): boolean {
    return off * off > MAX_OFF ** 2 * (this.#placeVariance + variance)
  }

  take(off: number, variance: number): void {
    const total = this.#placeVariance + variance
    const [ofPlace, ofSpeed] = [this.#placeVariance / total, this.#both / total]
    this.place += ofPlace * off
    this.speed += ofSpeed * off
    this.#speedVariance -= ofSpeed * this.#both
    this.#both -= ofSpeed * this.#placeVariance
    this.#placeVariance -= ofPlace * this.#placeVariance
  }
}

/**
 * The speeds along the field's axes and about its vertical. Robots that turn while they drive keep their way on the
 * field rather than their way ahead.
 */
export class OwnSpeed {
  readonly #x = new Axis(DRIVE_CHANGE, START_SPEED_M_S)
  readonly #y = new Axis(DRIVE_CHANGE, START_SPEED_M_S)
  readonly #yaw = new Axis(TURN_CHANGE, START_TURN_RATE)
  #last: { readonly pose: Pose; readonly atUs: number } | undefined

  clear(): void {
    this.#last = undefined
  }

  /** A pose that was solved, in the order of time. */
  solved(pose: Pose, atUs: number, noise: AxisNoise): void {
    const before = this.#last
    if (before && atUs <= before.atUs) return
    this.#last = { pose: normalise(pose), atUs }
    const measured = this.#measured(pose, noise)
    const isNear = before !== undefined && atUs - before.atUs <= MAX_COAST_US
    if (isNear) for (const { axis } of measured) axis.pass((atUs - before.atUs) / 1e6)
    const differences = measured.map(({ axis, value, variance }) => {
      const off = axis === this.#yaw ? wrapAngle(value - axis.place) : value - axis.place
      return { axis, value, variance, off }
    })
    const jumps = differences.some(({ axis, off, variance }) => axis.isOff(off, variance))
    for (const { axis, value, variance, off } of differences)
      if (!isNear) axis.start(value, variance)
      else if (jumps) axis.jump(value, variance)
      else axis.take(off, variance)
  }

  /** Where the robot is at that time; undefined: its speed is not known. */
  at(atUs: number): Pose | undefined {
    if (!this.#last || Math.abs(atUs - this.#last.atUs) > MAX_COAST_US) return undefined
    if (Math.max(this.#x.speedStd, this.#y.speedStd) > MAX_SPEED_STD_M_S) return undefined
    if (this.#yaw.speedStd > MAX_TURN_RATE_STD) return undefined
    const { pose } = this.#last
    const seconds = (atUs - this.#last.atUs) / 1e6
    const turn = (this.#yaw.speed * seconds) / 2
    const turned = compose({ ...identityPose, qw: Math.cos(turn), qz: Math.sin(turn) }, { ...pose, x: 0, y: 0, z: 0 })
    return { ...turned, x: pose.x + this.#x.speed * seconds, y: pose.y + this.#y.speed * seconds, z: pose.z }
  }

  /** How far a step between two times may be off, one deviation. */
  deviations(fromUs: number, toUs: number): PlanarStd {
    const lastUs = this.#last?.atUs ?? fromUs
    const seconds = Math.abs(toUs - fromUs) / 1e6
    const age = Math.abs((fromUs + toUs) / 2 - lastUs) / 1e6
    const place = (this.#x.speedVarianceAfter(age) + this.#y.speedVarianceAfter(age)) / 2
    return { m: seconds * Math.sqrt(place), rad: seconds * Math.sqrt(this.#yaw.speedVarianceAfter(age)) }
  }

  #measured(pose: Pose, [x, y, yaw]: AxisNoise) {
    return [
      { axis: this.#x, value: pose.x, variance: Math.max(MIN_NOISE_M, x) ** 2 },
      { axis: this.#y, value: pose.y, variance: Math.max(MIN_NOISE_M, y) ** 2 },
      { axis: this.#yaw, value: yawOf(pose), variance: Math.max(MIN_NOISE_RAD, yaw) ** 2 },
    ]
  }
}
