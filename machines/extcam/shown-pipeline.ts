// The number that a robot reads as that of the pipeline which runs.
import type { StoredValue } from '../settings/store.ts'
import type { Slotted } from '../stream/slots.ts'

/** A robot knows the numbers 0 to 9: this is none of them. */
const NO_NUMBER = -1

/** The slot that is active. The pipeline of a stream alone counts as 0, unless that is the number of a slot. */
const numberOf = ({ slots = [], active_slot }: Slotted): number =>
  active_slot ?? (slots.some(({ slot }) => slot === 0) ? NO_NUMBER : 0)

/** What is the case with a stream. takenUp: the newest revision that its engine runs; undefined: none yet. nowUs: CLOCK_MONOTONIC. */
interface Moment {
  readonly stored: StoredValue<Slotted>
  readonly takenUp: number | undefined
  readonly nowUs: () => number
}

/**
 * Follows one stream. A switch shows with the first frame that the engine began after it had taken it up, and not at all while it refuses to: robots wait for that
 * number, and trust what they read from then on. Frames that were begun before may be written later.
 */
export class ShownPipeline {
  #before: number
  #current: number
  /** When it was seen that the engine runs the current one. */
  #fromUs = Number.NEGATIVE_INFINITY
  #wanted: number
  /** The first revision that may have wanted it. */
  #since = 0
  #seen: StoredValue<Slotted>

  constructor(stored: StoredValue<Slotted>) {
    this.#seen = stored
    this.#wanted = numberOf(stored.value)
    this.#before = this.#wanted
    this.#current = this.#wanted
  }

  /** To be called with each frame, or when something of it has changed. */
  follow({ stored, takenUp, nowUs }: Moment): void {
    if (stored !== this.#seen) this.#see(stored)
    if (this.#current === this.#wanted || (takenUp ?? 0) < this.#since) return
    this.#before = this.#current
    this.#current = this.#wanted
    this.#fromUs = nowUs()
  }

  /** Of a frame that the engine began then, CLOCK_MONOTONIC; below zero: of none. */
  number(startedUs: number): number {
    return startedUs >= 0 && startedUs < this.#fromUs ? this.#before : this.#current
  }

  #see(stored: StoredValue<Slotted>): void {
    const wanted = numberOf(stored.value)
    if (wanted !== this.#wanted) this.#since = this.#seen.revision + 1
    this.#wanted = wanted
    this.#seen = stored
  }
}
