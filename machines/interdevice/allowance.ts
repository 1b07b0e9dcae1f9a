// How much somebody may send: a lot at once, and less than that for ever.

/** most: at once. perSecond: what comes back. */
export interface AllowanceLimits {
  readonly most: number
  readonly perSecond: number
}

/** What is left of an allowance. */
export class Allowance {
  readonly #limits: AllowanceLimits
  #left: number
  #atMs: number | undefined

  constructor(limits: AllowanceLimits) {
    this.#limits = limits
    this.#left = limits.most
  }

  /** Takes some of it, or nothing where there is too little left. A clock that is set back gives nothing. */
  take(cost: number, nowMs: number): boolean {
    const { most, perSecond } = this.#limits
    const passedMs = Math.max(0, nowMs - (this.#atMs ?? nowMs))
    this.#atMs = nowMs
    this.#left = Math.min(most, this.#left + (passedMs * perSecond) / 1_000)
    if (this.#left < cost) return false
    this.#left -= cost
    return true
  }
}
