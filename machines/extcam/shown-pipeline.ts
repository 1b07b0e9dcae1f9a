// The number that a robot reads as that of the pipeline which runs.
import type { StoredValue } from '../settings/store.ts'
import type { Slotted } from '../stream/slots.ts'

/** A robot knows the numbers 0 to 9: this is none of them. */
const NO_NUMBER = -1

/** The slot that is active. The pipeline of a stream alone counts as 0, unless that is the number of a slot. */
const numberOf = ({ slots = [], active_slot }: Slotted): number =>
  active_slot ?? (slots.some(({ slot }) => slot === 0) ? NO_NUMBER : 0)

/** A moment of a stream. takenUp: the newest revision that its engine runs, and since when; undefined: none yet. Times are CLOCK_MONOTONIC µs. */
interface Moment {
  readonly stored: StoredValue<Slotted>
  readonly takenUp: number | undefined
  readonly takenUpUs: number
}

/**
 * Follows one stream. A switch shows with the first frame that the engine began after it had taken it up, and not at all while it refuses to: robots wait for that
 * number, and trust what they read from then on.
 */
export class ShownPipeline {
  #shown: number
  #wanted: number
  /** The revision with which it was wanted. */
  #since = 0
  /** When it was seen that the engine runs it; frames that were begun before may be of the other one. */
  #runsFromUs = Number.POSITIVE_INFINITY
  #seen: StoredValue<Slotted>

  constructor(stored: StoredValue<Slotted>) {
    this.#seen = stored
    this.#wanted = numberOf(stored.value)
    this.#shown = this.#wanted
  }

  /** With a frame that the engine began then. */
  number(startedUs: number, { stored, takenUp, takenUpUs }: Moment): number {
    if (stored !== this.#seen) this.#see(stored)
    if (this.#shown === this.#wanted) return this.#shown
    if ((takenUp ?? 0) >= this.#since) this.#runsFromUs = Math.min(this.#runsFromUs, takenUpUs)
    if (startedUs >= this.#runsFromUs) this.#shown = this.#wanted
    return this.#shown
  }

  #see(stored: StoredValue<Slotted>): void {
    this.#seen = stored
    const wanted = numberOf(stored.value)
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    this.#since = stored.revision
    this.#runsFromUs = Number.POSITIVE_INFINITY
  }
}
