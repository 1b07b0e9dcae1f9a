// Whether the wall clock was set. A robot has no battery for its clock: it wakes up in 1970, or when it was
// last shut down, and is told the time by a server or by the robot while the service runs.

/** One reading of both clocks. */
export interface ClockReading {
  /** Unix time, ms. */
  readonly wallMs: number
  /** Of a clock that nobody sets, ms; it stands still while the machine sleeps. */
  readonly steadyMs: number
}

/** What is smaller is the clock being led to the right time, not being set; and nobody's list is in disorder by it. */
export const MIN_SET_MS = 1_000

/** How the wall clock stands to a steady one. */
export class WallClock {
  #aheadMs: number

  constructor({ wallMs, steadyMs }: ClockReading) {
    this.#aheadMs = wallMs - steadyMs
  }

  /**
   * By how much the wall clock was set since the last look, ms; 0: it was not. sleptMs: for how long the machine has
   * slept since the last time that this was asked, which it is only where it looks as if.
   */
  look({ wallMs, steadyMs }: ClockReading, sleptMs: () => number): number {
    const aheadMs = wallMs - steadyMs
    const movedMs = aheadMs - this.#aheadMs
    this.#aheadMs = aheadMs
    if (Math.abs(movedMs) < MIN_SET_MS) return 0
    const setMs = Math.round(movedMs - sleptMs())
    return Math.abs(setMs) < MIN_SET_MS ? 0 : setMs
  }
}
