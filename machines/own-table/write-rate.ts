// How often an own table is written.

/** The shortest time between two writes. Of a camera that is faster, the newest frame is written at this rate. */
export const MIN_BETWEEN_WRITES_US = 20_000

/** Tells which cameras are that fast, by their last two frames. */
export class OwnTableRate {
  #capturedUs = Number.NEGATIVE_INFINITY

  /** Whether a frame that was captured then comes too soon after the one before to be written as well. */
  isFast(capturedUs: number): boolean {
    const sinceUs = capturedUs - this.#capturedUs
    this.#capturedUs = capturedUs
    return sinceUs >= 0 && sinceUs < MIN_BETWEEN_WRITES_US
  }
}
