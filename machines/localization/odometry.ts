// Where a robot's wheels say that it is. Only differences count: where it began is nobody's business.
import { composePlanar, type Planar, partOfPlanar, planarBetween, STANDING, wrapAngle } from './planar.ts'

/** What the robot said of one moment. Metres and radians, of any origin. */
export interface OdometrySample extends Planar {
  /** When it was there, CLOCK_MONOTONIC. */
  readonly atUs: number
}

const POSE2D_BYTES = 24
const MAX_DISTANCE_M = 10_000
const MAX_TURN = 100_000 // radians; the yaw counts turns

/** Reads a value of a topic of type `struct:Pose2d`; undefined: it is none. */
export const readPose2d = (bytes: Uint8Array, atUs: number): OdometrySample | undefined => {
  if (bytes.length !== POSE2D_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sample = { atUs, x: view.getFloat64(0, true), y: view.getFloat64(8, true), yaw: view.getFloat64(16, true) }
  const isSound = Math.abs(sample.x) <= MAX_DISTANCE_M && Math.abs(sample.y) <= MAX_DISTANCE_M
  return isSound && Math.abs(sample.yaw) <= MAX_TURN ? sample : undefined
}

/** What lies further from a sample is not known from it. */
export const MAX_ODOMETRY_AGE_US = 200_000

const KEPT = 1024 // four seconds at 250 Hz: as long as the place is carried on without tags, and more

/** A step that is longer, and faster, is the robot program setting its pose. */
const MIN_RESET_M = 0.5
const MIN_RESET_TURN = 0.5
const MAX_SPEED_M_S = 8 // the fastest robots do 6
const MAX_TURN_RATE = 20 // radians a second

/** Samples that lie closer together do not tell a speed. */
const MIN_APART_US = 15_000

/**
 * The last seconds of a robot's odometry, without its resets.
 *
 * A sample as old as the last one, or up to 0.2 s older, is a repeat and ignored; one that is older still comes from a
 * clock that was set, and all before it is forgotten.
 */
export class OdometryLog {
  readonly #at = new Float64Array(KEPT)
  readonly #x = new Float64Array(KEPT)
  readonly #y = new Float64Array(KEPT)
  readonly #yaw = new Float64Array(KEPT)
  #first = 0
  #count = 0
  #said: OdometrySample | undefined

  /** When the newest sample was taken; undefined: there is none. */
  get newestUs(): number | undefined {
    return this.#said?.atUs
  }

  clear(): void {
    this.#count = 0
    this.#said = undefined
  }

  /** False: it was ignored. */
  add(sample: OdometrySample): boolean {
    if (this.#said && sample.atUs < this.#said.atUs - MAX_ODOMETRY_AGE_US) this.clear()
    const said = this.#said
    if (said && sample.atUs <= said.atUs) return false
    const there = this.#count > 0 ? this.#sample(this.#count - 1) : STANDING
    const step = said ? this.#stepBetween(said, sample) : STANDING
    this.#said = sample
    this.#push(sample.atUs, composePlanar(there, step))
    return true
  }

  /**
   * Where it was then, from an origin that stays the same until the log is cleared: on an arc between the samples
   * beside it, or carried on from the newest at its speed. undefined: no sample is near enough.
   */
  at(atUs: number): Planar | undefined {
    const after = this.#firstAfter(atUs)
    if (after === 0) return undefined
    const before = this.#sample(after - 1)
    const sinceUs = atUs - this.#time(after - 1)
    if (after === this.#count) {
      if (sinceUs > MAX_ODOMETRY_AGE_US) return undefined
      return composePlanar(before, this.#carriedOn(sinceUs))
    }
    const apartUs = this.#time(after) - this.#time(after - 1)
    if (apartUs > MAX_ODOMETRY_AGE_US) return sinceUs === 0 ? before : undefined
    return composePlanar(before, partOfPlanar(planarBetween(before, this.#sample(after)), sinceUs / apartUs))
  }

  /** The robot at `toUs`, seen from the robot at `fromUs`. undefined: not both are known. */
  between(fromUs: number, toUs: number): Planar | undefined {
    const from = this.at(fromUs)
    const to = from && this.at(toUs)
    return from && to && planarBetween(from, to)
  }

  /** Of a reset nothing is known but that the robot went on as before it. */
  #stepBetween(said: OdometrySample, sample: OdometrySample): Planar {
    const seconds = (sample.atUs - said.atUs) / 1e6
    const { x, y, yaw } = planarBetween(said, sample)
    const turn = wrapAngle(yaw)
    const isReset =
      Math.hypot(x, y) > Math.max(MIN_RESET_M, MAX_SPEED_M_S * seconds) ||
      Math.abs(turn) > Math.max(MIN_RESET_TURN, MAX_TURN_RATE * seconds)
    return isReset ? this.#carriedOn(Math.min(sample.atUs - said.atUs, MAX_ODOMETRY_AGE_US)) : { x, y, yaw: turn }
  }

  /** What the robot does in that time after the newest sample, if it goes on as it went before. */
  #carriedOn(forUs: number): Planar {
    const last = this.#count - 1
    let from = last - 1
    while (from > 0 && this.#time(last) - this.#time(from) < MIN_APART_US) from -= 1
    if (forUs === 0 || from < 0) return STANDING
    const apartUs = this.#time(last) - this.#time(from)
    if (apartUs < MIN_APART_US || apartUs > MAX_ODOMETRY_AGE_US) return STANDING
    return partOfPlanar(planarBetween(this.#sample(from), this.#sample(last)), forUs / apartUs)
  }

  #push(atUs: number, { x, y, yaw }: Planar): void {
    if (this.#count === KEPT) this.#first = (this.#first + 1) % KEPT
    else this.#count += 1
    const place = this.#place(this.#count - 1)
    this.#at[place] = atUs
    this.#x[place] = x
    this.#y[place] = y
    this.#yaw[place] = yaw
  }

  /** Those that are asked for are nearly the newest. */
  #firstAfter(atUs: number): number {
    let after = this.#count
    while (after > 0 && this.#time(after - 1) > atUs) after -= 1
    return after
  }

  #place(n: number): number {
    return (this.#first + n) % KEPT
  }

  #time(n: number): number {
    return this.#at[this.#place(n)] as number
  }

  #sample(n: number): Planar {
    const place = this.#place(n)
    return { x: this.#x[place] as number, y: this.#y[place] as number, yaw: this.#yaw[place] as number }
  }
}
