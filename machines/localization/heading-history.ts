// What a robot has said of its heading in the last moments, and what follows for a time between: as the engines have it
// (native/addon/stream/heading_log.cc), for the exposures of rounds.
import { wrapAngle } from './planar.ts'

/** Radians. */
export interface HeadingSample {
  /** CLOCK_MONOTONIC. */
  readonly atUs: number
  /** Counter-clockwise, of any origin. */
  readonly yaw: number
  /** Radians a second; 0 says nothing: it is then that from one sample to the next. */
  readonly rate: number
  /** Of its time, one deviation, seconds; default: that of what a robot's loop says. */
  readonly timeStdS?: number
}

/** The heading of a moment, and what is in doubt of it because of its time. */
export interface SaidHeading {
  readonly yaw: number
  readonly std: number
}

const NEAREST_US = 100_000
const KEPT = 256

/** Samples that lie closer together came in a bunch, and do not tell a rate. */
const MIN_APART_US = 10_000

/** Of the time that a sample bears: a quarter of a robot's loop. */
const TIME_STD_S = 0.005

/** What turns faster is no robot, but a gyro that is set. */
const MIN_SET_TURN = 0.5
const MAX_TURN_RATE = 20

/** The newest samples of a heading. */
export class HeadingHistory {
  /** Oldest first. */
  #samples: HeadingSample[] = []

  clear(): void {
    this.#samples = []
  }

  /**
   * True: the robot program has set its gyro; what was said before is forgotten. A sample that is older than one that
   * came before replaces it: a clock was set right in between.
   */
  add(sample: HeadingSample): boolean {
    while ((this.#samples.at(-1)?.atUs ?? Number.NEGATIVE_INFINITY) >= sample.atUs) this.#samples.pop()
    const last = this.#samples.at(-1)
    const isSet = last !== undefined && isSetBetween(last, sample)
    if (isSet) this.#samples = []
    else if (this.#samples.length === KEPT) this.#samples.shift()
    this.#samples.push(sample)
    return isSet
  }

  /**
   * Between two samples on the straight line, the shorter way round; else by the rate of the nearest one, for 0.1 s,
   * and all that is turned by it is in doubt. undefined: none is near.
   */
  at(atUs: number): SaidHeading | undefined {
    let after = this.#samples.length
    while (after > 0 && (this.#samples[after - 1] as HeadingSample).atUs > atUs) after -= 1
    const before = this.#samples[after - 1]
    const next = this.#samples[after]
    if (before && next && next.atUs - before.atUs <= 2 * NEAREST_US) {
      const rate = rateBetween(before, next)
      return { yaw: before.yaw + rate * secondsBetween(before.atUs, atUs), std: timeStdOf(before) * Math.abs(rate) }
    }
    const nearest = [before, next].find((sample) => sample && Math.abs(atUs - sample.atUs) <= NEAREST_US)
    return nearest && this.#carriedOn(nearest, atUs)
  }

  #carriedOn(sample: HeadingSample, atUs: number): SaidHeading {
    const rate = this.#rateOf(sample)
    const seconds = secondsBetween(sample.atUs, atUs)
    return { yaw: sample.yaw + rate * seconds, std: (timeStdOf(sample) + Math.abs(seconds)) * Math.abs(rate) }
  }

  #rateOf(sample: HeadingSample): number {
    if (sample.rate !== 0) return sample.rate
    const tells = ({ atUs }: HeadingSample) => {
      const apartUs = Math.abs(atUs - sample.atUs)
      return apartUs >= MIN_APART_US && apartUs <= 2 * NEAREST_US
    }
    const before = this.#samples.findLast((other) => other.atUs < sample.atUs && tells(other))
    if (before) return rateBetween(before, sample)
    const next = this.#samples.find((other) => other.atUs > sample.atUs && tells(other))
    return next ? rateBetween(sample, next) : 0
  }
}

const timeStdOf = ({ timeStdS = TIME_STD_S }: HeadingSample): number => timeStdS

const secondsBetween = (fromUs: number, toUs: number): number => (toUs - fromUs) / 1e6

const rateBetween = (from: HeadingSample, to: HeadingSample): number =>
  wrapAngle(to.yaw - from.yaw) / secondsBetween(from.atUs, to.atUs)

/** Samples that lie far apart can have any turn between them. */
const isSetBetween = (from: HeadingSample, to: HeadingSample): boolean => {
  const turn = Math.abs(wrapAngle(to.yaw - from.yaw))
  return turn > Math.max(MIN_SET_TURN, MAX_TURN_RATE * secondsBetween(from.atUs, to.atUs))
}
