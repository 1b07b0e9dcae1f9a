// How the results of the last openings of a camera are laid out: those that a recording takes, or that were kept for one, may be of another opening than the present.
import type { ResultLayout } from '../../machines/engine/result.ts'

/** What is kept of a stream lasts seconds, in which a camera is opened a few times at most. */
const MOST_OPENINGS = 32

/** The layouts by the number of the opening. */
export class Layouts {
  readonly #known = new Map<number, ResultLayout>()

  set(opening: number, layout: ResultLayout): void {
    this.#known.set(opening, layout)
    this.#known.delete(opening - MOST_OPENINGS)
  }

  /** undefined: that is too long ago. */
  of(opening: number): ResultLayout | undefined {
    return this.#known.get(opening)
  }
}
