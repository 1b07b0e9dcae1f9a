// Where in a recording its fragments lie, as far as somebody has walked through it: a fragment says only where the next
// one begins, so that a picture of the second hour is found by tens of thousands of reads.

/** Some thirty fragments: that many are walked through in milliseconds. */
const APART_US = 10_000_000

/** More than a day has. What names more is no recording of ours. */
const MAX_PLACES = 10_000

interface FragmentPlace {
  /** In the file. */
  readonly at: number
  /** Of its first picture, since the first of all. */
  readonly us: number
}

/** Of one recording, whose content never changes. */
export class FragmentPlaces {
  readonly #places: FragmentPlace[] = []

  /** Where to begin for what was taken at a time or later; undefined: at the first. */
  before(us: number): number | undefined {
    return this.#places.findLast((place) => place.us <= us)?.at
  }

  note(at: number, us: number): void {
    const last = this.#places.at(-1)
    const isNext = !last || (at > last.at && us >= last.us + APART_US)
    if (isNext && this.#places.length < MAX_PLACES) this.#places.push({ at, us })
  }
}
