// Those to whom live pictures are passed on, and which of them gets the present part.
import type { PartSink } from './part-counter.ts'
import type { PreviewViewer } from './port.ts'

/** One of them. behindSinceMs: when he missed the first of the parts that he has missed in a row; undefined: he has missed none. */
interface Place {
  readonly viewer: PreviewViewer
  behindSinceMs: number | undefined
}

/** A part goes whole to those who have taken all before it when it begins, and not at all to the others. */
export class Crowd implements PartSink {
  readonly #places = new Set<Place>()
  #admitted: PreviewViewer[] = []

  /** One more, from the next part on; until his connection closes. */
  add(viewer: PreviewViewer): void {
    const place = { viewer, behindSinceMs: undefined }
    this.#places.add(place)
    viewer.once('close', () => {
      this.#places.delete(place)
      this.#admitted = this.#admitted.filter((each) => each !== viewer)
    })
  }

  begin(): void {
    for (const place of this.#places) {
      if (hasRoom(place)) {
        place.behindSinceMs = undefined
        this.#admitted.push(place.viewer)
      } else place.behindSinceMs ??= performance.now()
    }
  }

  pass(bytes: Buffer): void {
    for (const viewer of this.#admitted) viewer.write(bytes)
  }

  end(): void {
    this.#admitted = []
  }

  /** Whether there are some, of whom none has room nor had any in so long a time. */
  isBehind(forMs: number): boolean {
    return this.#places.size > 0 && [...this.#places].every((place) => !hasRoom(place) && isBehind(place, forMs))
  }

  /** Lets those go who were behind for so long. */
  dismiss(afterMs: number): void {
    for (const place of this.#places) if (isBehind(place, afterMs)) place.viewer.destroy()
  }

  /** Ends all; what was passed on may still arrive. */
  close(): void {
    for (const { viewer } of this.#places) letGo(viewer)
  }
}

const GOODBYE_MS = 1_000

/** Ends one; what was passed on may still arrive, but not for longer than a moment: who reads nothing never takes it. */
export const letGo = (viewer: PreviewViewer): void => {
  viewer.destroySoon()
  const limit = setTimeout(() => viewer.destroy(), GOODBYE_MS).unref()
  viewer.once('close', () => clearTimeout(limit))
}

const hasRoom = ({ viewer }: Place): boolean => viewer.writableLength === 0 && viewer.writable

const isBehind = ({ behindSinceMs }: Place, forMs: number): boolean =>
  behindSinceMs !== undefined && performance.now() - behindSinceMs > forMs
