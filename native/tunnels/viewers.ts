// Those to whom live pictures are passed on, and which of them gets the present one.

/** How to treat a viewer of one sort. */
export interface Manners<Viewer> {
  /** Whether it has taken all that it was sent. */
  readonly hasRoom: (viewer: Viewer) => boolean
  /** Ends it; what was passed on may still arrive, but not for longer than a moment. */
  readonly letGo: (viewer: Viewer) => void
  readonly cutOff: (viewer: Viewer) => void
}

/**
 * One of them. behindSinceMs: when it missed the first of the pictures that it has missed in a row; undefined: it has
 * missed none.
 */
interface Place<Viewer> {
  readonly viewer: Viewer
  behindSinceMs: number | undefined
}

/** A picture goes whole to those who have taken all before it when it begins, and not at all to the others. */
export class Viewers<Viewer extends { readonly once: (event: 'close', left: () => void) => unknown }> {
  readonly #manners: Manners<Viewer>
  readonly #places = new Set<Place<Viewer>>()
  #admitted: readonly Viewer[] = []

  constructor(manners: Manners<Viewer>) {
    this.#manners = manners
  }

  /** One more, from the next picture on; until his connection closes. */
  add(viewer: Viewer): void {
    const place = { viewer, behindSinceMs: undefined }
    this.#places.add(place)
    viewer.once('close', () => {
      this.#places.delete(place)
      this.#admitted = this.#admitted.filter((each) => each !== viewer)
    })
  }

  /** A picture begins. */
  begin(): void {
    const admitted: Viewer[] = []
    for (const place of this.#places) {
      if (this.#hasRoom(place)) {
        place.behindSinceMs = undefined
        admitted.push(place.viewer)
      } else place.behindSinceMs ??= performance.now()
    }
    this.#admitted = admitted
  }

  /** Those who get the present picture. */
  get admitted(): readonly Viewer[] {
    return this.#admitted
  }

  /** The picture is whole. */
  end(): void {
    this.#admitted = []
  }

  /** Whether nothing is on its way to anybody. */
  get hasTakenAll(): boolean {
    for (const place of this.#places) if (!this.#hasRoom(place)) return false
    return true
  }

  /** Whether there are some, of whom none has room nor had any in so long a time. */
  isBehind(forMs: number): boolean {
    const places = [...this.#places]
    return places.length > 0 && places.every((place) => !this.#hasRoom(place) && isBehind(place, forMs))
  }

  /** Cuts off those who were behind for so long. */
  dismiss(afterMs: number): void {
    for (const place of this.#places) if (isBehind(place, afterMs)) this.#manners.cutOff(place.viewer)
  }

  /** Lets all go. */
  close(): void {
    for (const { viewer } of this.#places) this.#manners.letGo(viewer)
  }

  #hasRoom({ viewer }: Place<Viewer>): boolean {
    return this.#manners.hasRoom(viewer)
  }
}

const isBehind = ({ behindSinceMs }: Place<unknown>, forMs: number): boolean =>
  behindSinceMs !== undefined && performance.now() - behindSinceMs > forMs
