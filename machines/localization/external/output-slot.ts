// The newest sample of an output of an external source, and what became of all others.
import type { Pose } from '../pose.ts'
import type { SixNumbers } from '../solution.ts'
import type { SampleReason } from './sample.ts'
import type { ExternalSource } from './source.ts'

/** A pose of another program, as the solve may use it. */
export interface ExternalMeasurement {
  readonly sourceId: string
  readonly outputKey: string
  readonly kind: ExternalSource['kind']
  /** CLOCK_MONOTONIC. */
  readonly capturedUs: number
  /** The robot: on the field, seen from the blue corner; of a relative source in the frame of that. */
  readonly pose: Pose
  /** Along and about the axes of that frame. */
  readonly std: SixNumbers
  /** Between two of different numbers no motion may be seen. */
  readonly resetCounter: number
}

/** What became of samples. */
export interface SampleCounts {
  /** Were the newest, when they came. */
  readonly accepted: number
  /** Of these: were not given to the solve, since more came than that takes. */
  readonly skipped: number
  readonly refused: Record<string, number>
}

const MAX_AGE_US = 2_000_000
/** Clocks of two computers that are kept in step. */
const MAX_AHEAD_US = 20_000

/** Times are CLOCK_MONOTONIC. */
export class OutputSlot {
  readonly #maxAgeUs: number
  #newest: ExternalMeasurement | undefined
  #isLost = false
  #accepted = 0
  #skipped = 0
  readonly #refused: Partial<Record<SampleReason, number>> = {}

  constructor({ max_age_ms }: Pick<ExternalSource, 'max_age_ms'>) {
    this.#maxAgeUs = max_age_ms * 1000
  }

  /** Why one of this time would not be the newest; undefined: it would. */
  reasonAgainst(capturedUs: number, nowUs: number): SampleReason | undefined {
    const ageUs = nowUs - capturedUs
    if (ageUs > MAX_AGE_US) return 'too_old'
    if (ageUs < -MAX_AHEAD_US) return 'from_the_future'
    const newestUs = this.#newest?.capturedUs ?? Number.NEGATIVE_INFINITY
    if (capturedUs === newestUs) return 'repeat'
    return capturedUs < newestUs ? 'older' : undefined
  }

  keep(measurement: ExternalMeasurement): void {
    this.#newest = measurement
    this.#isLost = false
    this.#accepted += 1
  }

  /** It was not given to the solve. */
  skip(): void {
    this.#skipped += 1
  }

  refuse(reason: SampleReason): void {
    this.#refused[reason] = (this.#refused[reason] ?? 0) + 1
    if (reason === 'not_tracking') this.#isLost = true
  }

  /** The newest, while it is not too old. */
  fresh(nowUs: number): ExternalMeasurement | undefined {
    return this.isStale(nowUs) ? undefined : this.#newest
  }

  /** Whether there was one, and it is too old by now, or its source has lost its way. */
  isStale(nowUs: number): boolean {
    return this.#newest !== undefined && (this.#isLost || nowUs - this.#newest.capturedUs > this.#maxAgeUs)
  }

  /** How long ago the newest was true, however old it is; undefined: none has come. */
  ageUs(nowUs: number): number | undefined {
    return this.#newest && nowUs - this.#newest.capturedUs
  }

  get counts(): SampleCounts {
    return { accepted: this.#accepted, skipped: this.#skipped, refused: { ...this.#refused } }
  }
}
