// How much may come: a lot at once, and less than that in the long run.

/** The size of a bucket and how fast it fills. */
export interface BucketLimits {
  /** How much may come at once. */
  readonly capacity: number
  /** How much comes back in a second. */
  readonly perSecond: number
}

/** A token bucket, full at first. Times are ms of one clock; a clock that is set back gives nothing. */
export class TokenBucket {
  readonly #limits: BucketLimits
  #left: number
  #atMs: number | undefined

  constructor(limits: BucketLimits) {
    this.#limits = limits
    this.#left = limits.capacity
  }

  /** Takes so much, or nothing where there is too little left. */
  take(cost: number, nowMs: number): boolean {
    this.#refill(nowMs)
    if (this.#left < cost) return false
    this.#left -= cost
    return true
  }

  /** Takes so much, or all there is where that is less. */
  takeAtMost(cost: number, nowMs: number): void {
    this.#refill(nowMs)
    this.#left = Math.max(0, this.#left - cost)
  }

  /** How long it takes until there is so much; 0: there is. */
  waitMs(cost: number, nowMs: number): number {
    this.#refill(nowMs)
    return this.#left >= cost ? 0 : Math.ceil(((cost - this.#left) * 1_000) / this.#limits.perSecond)
  }

  #refill(nowMs: number): void {
    const { capacity, perSecond } = this.#limits
    const passedMs = Math.max(0, nowMs - (this.#atMs ?? nowMs))
    this.#atMs = nowMs
    this.#left = Math.min(capacity, this.#left + (passedMs * perSecond) / 1_000)
  }
}
