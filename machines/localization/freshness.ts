// Who is told whether samples come: at most once a second of each thing, and in the end what is the case.

const TELL_EVERY_US = 1_000_000

/** What is known of a thing. */
interface Told {
  readonly isFresh: boolean
  readonly atUs: number
}

/** Of a thing that has just come nobody expects anything. */
const NOTHING_TOLD: Told = { isFresh: false, atUs: Number.NEGATIVE_INFINITY }

/** Remembers what was told of each thing, by its key. Times are CLOCK_MONOTONIC. */
export class Freshness {
  readonly #told = new Map<string, Told>()

  /** Whether that is news of the thing, to be told now: it was told the other thing, and not just now. */
  isNews(key: string, isFresh: boolean, nowUs: number): boolean {
    const told = this.#told.get(key) ?? NOTHING_TOLD
    if (told.isFresh === isFresh || nowUs - told.atUs < TELL_EVERY_US) return false
    this.#told.set(key, { isFresh, atUs: nowUs })
    return true
  }

  /** Forgets all others. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#told.keys()) if (!keys.has(key)) this.#told.delete(key)
  }
}
