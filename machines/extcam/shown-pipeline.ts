// The number that a robot reads as that of the pipeline which runs.
import type { StoredValue } from '../settings/store.ts'
import type { Slotted } from '../stream/slots.ts'

/** A robot knows the numbers 0 to 9: this is none of them. */
const NO_NUMBER = -1

/** The slot that is active. The pipeline of a stream alone counts as 0, unless that is the number of a slot. */
const numberOf = ({ slots = [], active_slot }: Slotted): number =>
  active_slot ?? (slots.some(({ slot }) => slot === 0) ? NO_NUMBER : 0)

/**
 * Follows one stream. A switch shows when the engine has taken it up, and not at all while it refuses to: robots wait for that number, and trust what they read
 * from then on.
 */
export class ShownPipeline {
  #shown: number
  #wanted: number
  /** The revision with which it was wanted. */
  #since = 0
  #seen: StoredValue<Slotted>

  constructor(stored: StoredValue<Slotted>) {
    this.#seen = stored
    this.#wanted = numberOf(stored.value)
    this.#shown = this.#wanted
  }

  /** takenUp: the newest revision that the engine runs; undefined: none yet. */
  number(stored: StoredValue<Slotted>, takenUp: number | undefined): number {
    if (stored !== this.#seen) {
      this.#seen = stored
      const wanted = numberOf(stored.value)
      if (wanted !== this.#wanted) this.#since = stored.revision
      this.#wanted = wanted
    }
    if ((takenUp ?? 0) >= this.#since) this.#shown = this.#wanted
    return this.#shown
  }
}
