// How often something happens at the most, whatever a robot writes. Times are ms of a clock that nobody sets.

const SAID_EVERY_MS = 10_000 // as often as a log says what repeats itself

/** Says that something is wrong at once, and then with how often it was, no more than once in ten seconds for each key. */
export class Complaints {
  readonly #said = new Map<string, { readonly saidMs: number; held: number }>()

  /** How many times it is to be said that it happened, this time and those that were held back; undefined: not now. */
  times(key: string, nowMs: number): number | undefined {
    const before = this.#said.get(key)
    if (before && nowMs - before.saidMs < SAID_EVERY_MS) {
      before.held += 1
      return undefined
    }
    this.#said.set(key, { saidMs: nowMs, held: 0 })
    return 1 + (before?.held ?? 0)
  }
}

const BURST = 4 // a robot that switches there and back at the start of a match does not wait
const EVERY_MS = 1_000

/** Lets a few through at once and then one in each second: for what is stored, which takes the disk. */
export class Allowance {
  #left = BURST
  #countedMs = 0

  /** How long the next one waits; 0: it may pass. */
  waitMs(nowMs: number): number {
    this.#refill(nowMs)
    return this.#left >= 1 ? 0 : Math.ceil((1 - this.#left) * EVERY_MS)
  }

  /** One has passed. */
  took(nowMs: number): void {
    this.#refill(nowMs)
    this.#left = Math.max(0, this.#left - 1)
  }

  #refill(nowMs: number): void {
    this.#left = Math.min(BURST, this.#left + (nowMs - this.#countedMs) / EVERY_MS)
    this.#countedMs = nowMs
  }
}
