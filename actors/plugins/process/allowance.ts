// So many a second, and as many at once.

export class Allowance {
  readonly #perS: number
  readonly #nowUs: () => number
  readonly #atOnce: number
  #left: number
  #atUs: number

  /** nowUs: CLOCK_MONOTONIC. atOnce: default, as many as in a second. */
  constructor(perS: number, nowUs: () => number, atOnce = perS) {
    this.#perS = perS
    this.#nowUs = nowUs
    this.#atOnce = atOnce
    this.#left = atOnce
    this.#atUs = nowUs()
  }

  /** Whether there may be one more now. */
  take(): boolean {
    const nowUs = this.#nowUs()
    this.#left = Math.min(this.#atOnce, this.#left + ((nowUs - this.#atUs) * this.#perS) / 1e6)
    this.#atUs = nowUs
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
