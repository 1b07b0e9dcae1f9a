// The times of samples on the clock of frames, whatever clock the kernel stamped them by.

/** A stamp that is further from the moment at which it is read is of another clock. */
const SAME_CLOCK_US = 500_000

export class Stamps {
  #offsetUs: number | undefined
  #lastUs = Number.NEGATIVE_INFINITY

  /** Samples were read at this moment; the last of them has this stamp, or none is stamped. Both µs. */
  read(nowUs: number, stampUs: number): void {
    const offUs = nowUs - stampUs
    if (this.#offsetUs === undefined) this.#offsetUs = Math.abs(offUs) <= SAME_CLOCK_US ? 0 : offUs
    // a clock that was set: a new beginning
    else if (Math.abs(offUs - this.#offsetUs) > SAME_CLOCK_US) this.#offsetUs = offUs
    // of another clock the smallest delay is the best guess
    else if (this.#offsetUs !== 0) this.#offsetUs = Math.min(this.#offsetUs, offUs)
  }

  /** On the clock of frames, µs; null: it is not newer than the one before. */
  at(stampUs: number): number | null {
    const us = stampUs + (this.#offsetUs ?? 0)
    if (!(us > this.#lastUs)) return null
    this.#lastUs = us
    return us
  }
}
