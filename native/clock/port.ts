// The two clocks of a device, and waiting.
import { token } from '../../machines/token.ts'

export interface Clock {
  /** Unix time, ms. */
  readonly nowMs: () => number
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
