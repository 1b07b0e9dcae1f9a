// The estimate of another clock from exchanged readings. One per connection: a robot that started again has a new
// clock.

/**
 * Where the other clock stands. offsetUs: its time minus CLOCK_MONOTONIC of this device; it is off by half of the round
 * trip at most.
 */
export interface ClockEstimate {
  readonly roundTripUs: number
  readonly offsetUs: number
}

const BURSTS_KEPT = 3 // with one burst each 10 s, crystals 50 ppm apart drift 1.5 ms within what is kept
/**
 * What two sound readings within that time may be apart beside their round trips: 150 ppm, and readings in whole
 * milliseconds.
 */
export const DRIFT_US = 5_000

/**
 * Picks the reading with the shortest round trip among the last few bursts.
 *
 * A single reading right after connecting was measured to be off by 5 to 19 ms; the best of three by 0.5 ms.
 */
export class ClockSync {
  readonly #bursts: ClockEstimate[][] = []
  #best: ClockEstimate | undefined

  /** undefined before the first answer. */
  get estimate(): ClockEstimate | undefined {
    return this.#best
  }

  /** What follows is a new burst; the oldest one is forgotten, so that drift is followed. */
  startBurst(): void {
    this.#bursts.push([])
    if (this.#bursts.length > BURSTS_KEPT) this.#bursts.shift()
  }

  /**
   * An answer: our reading when asked, the other one when it was answered, ours now. Ignored when the first lies in the
   * future. True: by what is known the other clock cannot stand there, so that one of the two has jumped; what was
   * known is forgotten.
   */
  answered(askedUs: number, otherUs: number, nowUs: number): boolean {
    const roundTripUs = nowUs - askedUs
    if (!(roundTripUs >= 0)) return false
    const reading = { roundTripUs, offsetUs: Math.round(otherUs + roundTripUs / 2 - nowUs) }
    const hasJumped = this.#best !== undefined && !canBeOfOne(this.#best, reading)
    if (hasJumped) for (const burst of this.#bursts) burst.length = 0
    this.#bursts.at(-1)?.push(reading)
    this.#best = this.#bursts.flat().reduce((best, next) => (next.roundTripUs <= best.roundTripUs ? next : best))
    return hasJumped
  }
}

/**
 * Whether two readings can be of clocks that run alike. Each is right within half of its round trip, however that is
 * divided.
 */
const canBeOfOne = (one: ClockEstimate, other: ClockEstimate): boolean =>
  Math.abs(one.offsetUs - other.offsetUs) <= (one.roundTripUs + other.roundTripUs) / 2 + DRIFT_US
