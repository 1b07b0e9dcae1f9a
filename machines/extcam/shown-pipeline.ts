// The number that a robot reads as that of the pipeline which runs.
import type { Slotted } from '../stream/slots.ts'

/** A robot knows the numbers 0 to 9: this is none of them. */
const NO_NUMBER = -1

/** So many numbers are remembered: a frame may be older than two switches. */
const MAX_KNOWN = 8

/** What of that which an engine has taken up makes its number. */
interface Running {
  readonly revision: number | null
  readonly value: Slotted
}

/**
 * The slot that runs. The pipeline of a stream alone counts as 0, unless that is the number of a slot; one that stands
 * in for another is none.
 */
const numberOf = ({ revision, value: { slots = [], active_slot } }: Running): number => {
  if (revision === null) return NO_NUMBER
  return active_slot ?? (slots.some(({ slot }) => slot === 0) ? NO_NUMBER : 0)
}

/** fromUs: when it was seen that the engine runs it, CLOCK_MONOTONIC. */
interface Shown {
  readonly fromUs: number
  readonly number: number
}

/**
 * Follows one stream. A switch shows with the first frame that the engine began after it had taken it up, and not at
 * all while it refuses to: robots wait for that number, and trust what they read from then on. Frames that were begun
 * before may be written later. Before anything runs there is no number.
 */
export class ShownPipeline {
  /** The newest first; empty: nothing has run yet. */
  #shown: readonly Shown[]

  /** running: what the engine has taken up; undefined: nothing yet. */
  constructor(running: Running | undefined) {
    this.#shown = running ? [{ fromUs: Number.NEGATIVE_INFINITY, number: numberOf(running) }] : []
  }

  /** To be called when the engine has taken something up. nowUs: CLOCK_MONOTONIC. */
  follow(running: Running, nowUs: number): void {
    const number = numberOf(running)
    const [newest] = this.#shown
    if (newest?.number === number) return
    // the first frame may overtake the answer, and nothing ran before
    const fromUs = newest ? nowUs : Number.NEGATIVE_INFINITY
    this.#shown = [{ fromUs, number }, ...this.#shown].slice(0, MAX_KNOWN)
  }

  /** Of a frame that the engine began then, CLOCK_MONOTONIC; below zero: of none. */
  number(startedUs: number): number {
    if (startedUs < 0) return this.#shown[0]?.number ?? NO_NUMBER
    const shown = this.#shown.find(({ fromUs }) => startedUs >= fromUs) ?? this.#shown.at(-1)
    return shown?.number ?? NO_NUMBER
  }
}
