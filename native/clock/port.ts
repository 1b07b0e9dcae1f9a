// The two clocks of a device, and waiting.
import { token } from '../../machines/token.ts'

export interface Clock {
  /** Unix time, ms. Where the wall clock was set since, listeners for that are told first. */
  readonly nowMs: () => number
  /**
   * Calls `listener` when the wall clock was set, with by how many ms it is later now; negative: earlier. At once when
   * anybody asks for the time, else within a second or two. Returns the way to stop.
   */
  readonly onSet: (listener: (byMs: number) => void) => () => void
  /** CLOCK_MONOTONIC, µs: the time base of every frame. */
  readonly monotonicUs: () => number
  /** Done after `ms` milliseconds; keeps no process alive. */
  readonly wait: (ms: number) => Promise<void>
}

const US_IN_MS = 1_000

/** CLOCK_MONOTONIC, ms. */
export const monotonicMs = (clock: Pick<Clock, 'monotonicUs'>): number => clock.monotonicUs() / US_IN_MS

/** The clocks of this device. */
export const CLOCK = token<Clock>('clock')
