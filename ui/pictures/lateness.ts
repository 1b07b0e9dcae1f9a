// How late pictures come, on a link that takes longer for them than there is between two.

const MAX_DRIFT = 0.0005 // of two clocks against each other; a hundred times what they really have
const CLOCK_SET_MS = 500

/**
 * Against the picture that was on its way for the shortest time: the clocks of the device and of this browser need not
 * agree.
 */
export class Lateness {
  #leastMs = Number.POSITIVE_INFINITY // between the two clocks, with the way
  #last: { readonly nowMs: number; readonly offMs: number } | undefined

  /** How much later than it might a picture has come. takenAtMs: by the clock of its device. nowMs: by that here. */
  take(takenAtMs: number, nowMs: number): number {
    const offMs = nowMs - takenAtMs
    const gapMs = nowMs - (this.#last?.nowMs ?? nowMs)
    // it is later by more time than has passed: the clock of the device was set
    const wasSet = this.#last !== undefined && offMs - this.#last.offMs > gapMs + CLOCK_SET_MS
    this.#last = { nowMs, offMs }
    this.#leastMs = wasSet ? offMs : Math.min(offMs, this.#leastMs + gapMs * MAX_DRIFT)
    return offMs - this.#leastMs
  }
}
