// How often an own table is written: 50 times a second at most, in the mean, without holding a frame back.

const APART_US = 20_000

/** Chooses which frames of one stream are written. One that was captured earlier than a frame is due is left out. */
export class OwnPace {
  #dueUs = Number.NEGATIVE_INFINITY

  /** Whether a frame that was captured then is written. */
  takes(capturedUs: number): boolean {
    if (capturedUs < this.#dueUs && capturedUs > this.#dueUs - 2 * APART_US) return false
    // A frame that comes a little late makes the next one due sooner: 60 frames a second become 50, not 30.
    this.#dueUs = Math.max(Math.min(this.#dueUs, capturedUs), capturedUs - APART_US) + APART_US
    return true
  }
}
