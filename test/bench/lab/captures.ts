// Pictures by when they were taken, and what became of them: how many there were in a span of time, and which are
// missing of those that gave a result or were seen.

/**
 * When pictures were taken, by their numbers. Of one that nobody has seen it is taken from its neighbours: a camera
 * keeps its rate.
 */
export class Captures {
  readonly #us = new Map<number, number>()

  saw(seq: number, captured_us: number): void {
    this.#us.set(seq, captured_us)
  }

  /**
   * How many pictures were taken after a moment, up to the one of that number, which is one of them. 0: that one was
   * taken before.
   */
  between(momentUs: number, last: number): number {
    let count = 0
    while (this.#capturedUs(last - count) > momentUs) count++
    return count
  }

  #capturedUs(seq: number): number {
    const known = this.#us.get(seq)
    if (known !== undefined) return known
    let [below, above] = [seq - 1, seq + 1]
    while (below >= 0 && !this.#us.has(below)) below--
    while (above < seq + MAX_GAP_LENGTH && !this.#us.has(above)) above++
    const [from, to] = [this.#us.get(below), this.#us.get(above)]
    if (from === undefined || to === undefined) throw new Error(`nobody knows when picture ${seq} was taken`)
    return from + ((to - from) * (seq - below)) / (above - below)
  }
}

const MAX_GAP_LENGTH = 1000

/** Which numbers are missing of those that come in order. */
export class Gaps {
  newest = -1
  #first = -1
  #missing = 0
  #most = 0

  /** Counts from now on. */
  begin(): void {
    this.#first = this.newest
    this.#missing = 0
    this.#most = 0
  }

  saw(seq: number): void {
    const gap = this.newest < 0 ? 0 : seq - this.newest - 1
    this.#missing += gap
    this.#most = Math.max(this.#most, gap)
    this.newest = seq
  }

  found(): Found {
    return { frames: this.newest - this.#first, missing: this.#missing, most: this.#most }
  }
}

/** most: in a row. */
export interface Found {
  readonly frames: number
  readonly missing: number
  readonly most: number
}
