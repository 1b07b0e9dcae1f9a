// The clock of another device, by which its pictures are stamped.
import { type ClockEstimate, DRIFT_US } from './clock-sync.ts'

/** Where the clock of another device stands. */
export interface SourceClock {
  /** CLOCK_MONOTONIC of the other device minus that of this one. */
  readonly offset_us: number
  /** By how much that may be off, either way. */
  readonly within_us: number
}

/** As the engines take it. */
export const sourceClockOf = ({ offsetUs, roundTripUs }: ClockEstimate): SourceClock => ({
  offset_us: offsetUs,
  within_us: Math.ceil(roundTripUs / 2) + DRIFT_US,
})
