// What goes wrong again and again is said at once and then seldom, with how often it was.

const FIRST_PAUSE_MS = 10_000 // a part that cannot be started crashes five times in its first two seconds
const QUIET_MS = 60_000 // what has not come for a minute was over, and is news again
const MAX_KEYS = 500 // as the error history; the one said longest ago is forgotten first

/** What was said under a key. */
interface Said {
  readonly saidMs: number
  readonly pauseMs: number
  /** When it came last. */
  lastMs: number
  /** How often it came since it was said. */
  held: number
}

/** Decides for each key when it is said again: after ten seconds, then after twice the pause, up to the longest one. */
export class LogThrottle {
  readonly #maxPauseMs: number
  readonly #said = new Map<string, Said>()

  constructor(maxPauseMs = FIRST_PAUSE_MS) {
    this.#maxPauseMs = maxPauseMs
  }

  /**
   * How many times it is to be said that it happened, now and since it was said last; undefined: not now.
   *
   * count: how often it has happened now. nowMs: of a clock that nobody sets.
   */
  times(key: string, nowMs: number, count = 1): number | undefined {
    const previous = this.#said.get(key)
    const goesOn = previous !== undefined && nowMs - previous.lastMs < QUIET_MS
    if (goesOn && nowMs - previous.saidMs < previous.pauseMs) {
      previous.held += count
      previous.lastMs = nowMs
      return undefined
    }
    const pauseMs = goesOn ? Math.min(2 * previous.pauseMs, this.#maxPauseMs) : FIRST_PAUSE_MS
    this.#said.delete(key)
    this.#said.set(key, { saidMs: nowMs, pauseMs, lastMs: nowMs, held: 0 })
    const [oldest] = this.#said.size > MAX_KEYS ? this.#said.keys() : []
    if (oldest !== undefined) this.#said.delete(oldest)
    return count + (previous?.held ?? 0)
  }
}
