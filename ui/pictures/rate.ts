// How often something happens.
const OVER_MS = 2000

/** Counts over the last two seconds. */
export class Rate {
  #times: number[] = []

  /** Something has happened. */
  count(nowMs: number): void {
    this.#times.push(nowMs)
    this.#forget(nowMs)
  }

  /** How often a second. */
  at(nowMs: number): number {
    this.#forget(nowMs)
    const [first] = this.#times
    const last = this.#times.at(-1)
    if (first === undefined || last === undefined || last === first) return 0
    return ((this.#times.length - 1) * 1000) / (last - first)
  }

  #forget(nowMs: number): void {
    while ((this.#times[0] ?? nowMs) < nowMs - OVER_MS) this.#times.shift()
  }
}
