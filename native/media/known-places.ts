// What is known of recordings that somebody looks through, so that each look need not begin at their first picture.
import { SerialQueue } from '../files/serial-queue.ts'
import { FragmentPlaces } from './content/fragment-places.ts'

/** As many as people look through at once. */
const MAX_RECORDINGS = 8

/** What is known of one recording. */
export interface KnownPlaces {
  readonly places: FragmentPlaces
  /** Of those who look for a picture, since what one has walked through the next can leave out. */
  readonly queue: SerialQueue
}

/** Of a recording that nobody has looked through. */
export const noPlaces = (): KnownPlaces => ({ places: new FragmentPlaces(), queue: new SerialQueue() })

/** Of those that were looked through last. */
export class PlacesOfRecordings {
  readonly #known = new Map<string, KnownPlaces>()

  /** etag: of the content. */
  of(etag: string): KnownPlaces {
    const known = this.#known.get(etag) ?? noPlaces()
    this.#known.delete(etag)
    this.#known.set(etag, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_RECORDINGS && oldest !== undefined) this.#known.delete(oldest)
    return known
  }
}
