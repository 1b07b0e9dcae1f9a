// How far a robot's heading is off what the tags show. A gyro begins at zero wherever the robot looks, and nobody
// notices that it was never set; so the difference is learnt, and told.
import { oneLine } from '../schema/one-line.ts'
import { HeadingHistory, type HeadingSample, type SaidHeading } from './heading-history.ts'
import { wrapAngle } from './planar.ts'

const DEG = Math.PI / 180

/** The tags' own yaw is compared when it is as sure as that. */
export const MAX_SEEN_STD = 0.3 * DEG

/** The heading is used when its offset is known to that. */
export const MAX_OFFSET_STD = 0.5 * DEG

/** Maps and mounts are off by as much all the time: the mean of many looks is not better than that. */
const MIN_OFFSET_STD = 0.1 * DEG

/** What does not average out of a look, in variances of it, as in the filter. */
const SYSTEMATIC = 5

/** How far a gyro drifts in a minute. */
const DRIFT_IN_A_MINUTE = 0.3 * DEG

/** Of one number; one look in a thousand is refused wrongly. */
const GATE_CHI2 = 10.8

/** That many refused looks that say the same are right. */
const MIN_AGREEING = 4

/** An offset of that size for that long is told. */
const MIN_WARNED = DEG
const MIN_WARNED_US = 2_000_000

/** Radians. */
export interface KnownOffset {
  /** What the tags show minus what the robot says, in (-pi, pi]. */
  readonly offset: number
  readonly std: number
}

/** How the heading is taken: `heading` of the config. */
export interface HeadingRules {
  readonly use: boolean
  readonly std_deg: number
  readonly learn_offset: boolean
}

/** The heading of a robot, and what is known of its offset. */
export class HeadingOffset {
  readonly #rules: HeadingRules
  readonly #history = new HeadingHistory()
  #known: { readonly offset: number; readonly variance: number; readonly atUs: number } | undefined
  /** Differences that were refused, newest last. */
  #refused: readonly number[] = []
  /** Since when the offset is large. */
  #largeSinceUs: number | undefined
  /** Of an IMU: by how much it may run away beside that, radians a second; undefined: the robot says it. */
  #runaway: number | undefined

  constructor(rules: HeadingRules) {
    this.#rules = rules
  }

  /** Somebody else says it from now on. */
  clear(): void {
    this.#history.clear()
    this.#runaway = undefined
    this.#forget()
  }

  /** What the robot says. A gyro that is set has another offset. */
  add(sample: HeadingSample): void {
    if (this.#history.add(sample)) this.#forget()
  }

  /**
   * What an IMU says, whose origin is any, and whose bias is not known to more than that, radians a second. Its offset
   * is learnt in any case.
   */
  addInertial(sample: HeadingSample, runaway: number): void {
    this.#runaway = runaway
    this.add(sample)
  }

  /** What the robot said of that time. */
  saidAt(atUs: number): SaidHeading | undefined {
    return this.#history.at(atUs)
  }

  /** The offset at that time; undefined: it is not known well enough. */
  knownAt(atUs: number): KnownOffset | undefined {
    if (!this.#known) return undefined
    const std = Math.max(MIN_OFFSET_STD, Math.sqrt(this.#known.variance + this.#driftSince(this.#known.atUs, atUs)))
    return std > MAX_OFFSET_STD ? undefined : { offset: wrapAngle(this.#known.offset), std }
  }

  /** Where the robot looks at that time, as a prior for a solve; undefined: it is not to be used, or not known. */
  priorAt(atUs: number): { readonly yaw: number; readonly std: number } | undefined {
    const { use, std_deg, learn_offset } = this.#rules
    const said = use ? this.#history.at(atUs) : undefined
    const isLearnt = learn_offset || this.#runaway !== undefined
    const known = isLearnt ? this.knownAt(atUs) : { offset: 0, std: 0 }
    if (!said || !known) return undefined
    return { yaw: wrapAngle(said.yaw + known.offset), std: Math.hypot(std_deg * DEG, known.std, said.std) }
  }

  /** The yaw at that time by the tags alone. What is not sure enough says nothing. */
  seen(yaw: number, std: number, atUs: number): void {
    const said = this.#history.at(atUs)
    if (!said || !(std <= MAX_SEEN_STD)) return
    this.#learn(wrapAngle(yaw - said.yaw), std * std + said.std * said.std, atUs)
    const known = this.knownAt(atUs)
    if (known && Math.abs(known.offset) > MIN_WARNED) this.#largeSinceUs ??= atUs
    else if (known) this.#largeSinceUs = undefined
  }

  /** A sentence, when the heading has been more than a degree off for two seconds. */
  warningAt(atUs: number): string | undefined {
    if (this.#runaway !== undefined) return undefined // nobody has set it
    if (this.#largeSinceUs === undefined || atUs - this.#largeSinceUs < MIN_WARNED_US) return undefined
    const known = this.knownAt(atUs)
    if (!known || !this.#history.at(atUs)) return undefined
    const offDeg = Math.abs(known.offset / DEG).toFixed(1)
    const isCorrected = this.#rules.learn_offset
    return oneLine`
      the robot's heading is ${offDeg} degrees off what the tags show;
      ${isCorrected ? 'it is corrected here, but not where else the robot uses it' : 'it is used as the robot says it'}`
  }

  #learn(difference: number, variance: number, atUs: number): void {
    const known = this.#known
    if (!known) {
      this.#known = { offset: difference, variance: SYSTEMATIC * variance, atUs }
      return
    }
    const before = known.variance + this.#driftSince(known.atUs, atUs)
    const off = wrapAngle(difference - known.offset)
    if (off * off > GATE_CHI2 * (before + variance)) {
      this.#refuse(difference, variance, atUs)
      return
    }
    const gain = before / (before + SYSTEMATIC * variance)
    this.#known = { offset: known.offset + gain * off, variance: (1 - gain) * before, atUs: Math.max(atUs, known.atUs) }
    this.#refused = []
  }

  #refuse(difference: number, variance: number, atUs: number): void {
    const agrees = (other: number) => wrapAngle(difference - other) ** 2 <= 2 * GATE_CHI2 * variance
    this.#refused = [...this.#refused.filter(agrees), difference].slice(-MIN_AGREEING)
    if (this.#refused.length < MIN_AGREEING) return
    this.#forget()
    this.#learn(difference, variance, atUs)
  }

  /** Beside what wanders, a bias that is off runs away evenly. */
  #driftSince(fromUs: number, toUs: number): number {
    const ranAway = ((this.#runaway ?? 0) * Math.max(0, toUs - fromUs)) / 1e6
    return driftSince(fromUs, toUs) + ranAway * ranAway
  }

  #forget(): void {
    this.#known = undefined
    this.#refused = []
    this.#largeSinceUs = undefined
  }
}

const driftSince = (fromUs: number, toUs: number): number =>
  (DRIFT_IN_A_MINUTE * DRIFT_IN_A_MINUTE * Math.max(0, toUs - fromUs)) / 60e6
