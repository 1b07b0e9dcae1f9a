// Live video of a stream on demand: who watches it, and what its engine is to encode for them. One encoding is for all.
import { Listeners, type OnBug } from '../listeners.ts'

/** What an engine is to encode. library: the encoder of H.264, by its name among those of the device. */
export interface VideoWant {
  readonly library: string
}

/**
 * One encoded picture (H.264, Annex B). captured_us: CLOCK_MONOTONIC, mid-exposure; later than that of the packet before. is_key: a decoder can begin with it, and what it has to
 * know first lies in front.
 */
export interface VideoPacket {
  readonly captured_us: number
  readonly is_key: boolean
  readonly bytes: Uint8Array
}

/** Somebody who watches. ended: nothing more comes, for nothing can be encoded. */
export interface VideoWatcher {
  readonly take: (packet: VideoPacket) => void
  readonly ended: () => void
}

/** What changed for the engine: what it is to encode, or that the next picture has to be a key. */
export type VideoChange = 'wanted' | 'key'

/** The viewers of one stream's video. */
export class VideoBoard {
  readonly #watchers = new Set<VideoWatcher>()
  readonly #changed: Listeners<VideoChange>
  #wanted: VideoWant | null = null

  /** onBug: told of what a listener threw. */
  constructor(onBug?: OnBug) {
    this.#changed = new Listeners(onBug)
  }

  get viewers(): number {
    return this.#watchers.size
  }

  /** What the engine is to encode now; null: nothing. */
  get wanted(): VideoWant | null {
    return this.#wanted
  }

  /** Lets somebody watch, beginning with a key that is made for him; what others watch already decides by what it is encoded. Returns the way to leave. */
  watch(want: VideoWant, watcher: VideoWatcher): () => void {
    this.#watchers.add(watcher)
    if (this.#wanted) this.#changed.notify('key')
    else this.#want(want)
    return () => {
      if (this.#watchers.delete(watcher) && this.#watchers.size === 0) this.#want(null)
    }
  }

  deliver(packet: VideoPacket): void {
    for (const { take } of this.#watchers) take(packet)
  }

  /** The engine can encode nothing: all leave. */
  fail(): void {
    for (const { ended } of [...this.#watchers]) ended()
  }

  /** Calls back after each change. */
  subscribe(changed: (what: VideoChange) => void): () => void {
    return this.#changed.add(changed)
  }

  #want(wanted: VideoWant | null): void {
    this.#wanted = wanted
    this.#changed.notify('wanted')
  }
}
