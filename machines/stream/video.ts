// Live video of a stream on demand: who watches it, and what its engine is to encode for them. One encoding is for all.
import { Listeners, type OnBug } from '../listeners.ts'

/**
 * Of the encoding for those who watch: half of what a robot has on a field for everything; a picture of 1280x800 in
 * which little moves takes less.
 */
export const MAX_VIDEO_BITS_PER_S = 2_000_000

/** What an engine is to encode. library: the encoder of H.264, by its name among those of the device. */
export interface VideoWant {
  readonly library: string
  /** Pictures a second at most; null: each one. */
  readonly max_fps: number | null
}

/** One encoded picture (H.264, Annex B). */
export interface VideoPacket {
  /** CLOCK_MONOTONIC, mid-exposure; later than that of the previous packet. */
  readonly captured_us: number
  /** Whether a decoder can begin with it; what it has to know first lies in front. */
  readonly is_key: boolean
  readonly bytes: Uint8Array
}

/** Somebody who watches. */
export interface VideoWatcher {
  /** Takes a packet, and returns how many bytes of it are sent. */
  readonly take: (packet: VideoPacket) => number
  /** Nothing more comes, for nothing can be encoded. */
  readonly ended: () => void
  /** Whether it goes over the network, within the bandwidth budget. */
  readonly isMetered?: boolean
}

/** What goes over the network. */
export interface MeteredVideo {
  readonly viewers: number
  /** Since the stream was created. */
  readonly bytes: number
}

/** What changed for the engine: what it is to encode, or that the next picture has to be a key. */
export type VideoChange = 'wanted' | 'key'

/** The viewers of one stream's video. */
export class VideoBoard {
  readonly #watchers = new Set<VideoWatcher>()
  readonly #changed: Listeners<VideoChange>
  readonly #meteredChanged: Listeners<void>
  #library: string | null = null
  #maxFps: number | null = null
  #meteredBytes = 0

  /** onBug: told of what a listener threw. */
  constructor(onBug?: OnBug) {
    this.#changed = new Listeners(onBug)
    this.#meteredChanged = new Listeners(onBug)
  }

  get viewers(): number {
    return this.#watchers.size
  }

  /** What of it is watched over the network. */
  get metered(): MeteredVideo {
    let viewers = 0
    for (const { isMetered } of this.#watchers) viewers += isMetered ? 1 : 0
    return { viewers, bytes: this.#meteredBytes }
  }

  /** What the engine is to encode now; null: nothing. */
  get wanted(): VideoWant | null {
    return this.#library === null ? null : { library: this.#library, max_fps: this.#maxFps }
  }

  /** How many pictures a second are encoded at most, whoever watches; null: each one. */
  limit(maxFps: number | null): void {
    if (maxFps === this.#maxFps) return
    this.#maxFps = maxFps
    if (this.#library !== null) this.#changed.notify('wanted')
  }

  /**
   * Lets somebody watch, beginning with a key that is made for him; what others watch already decides by what it is
   * encoded. Returns the way to leave.
   */
  watch({ library }: Pick<VideoWant, 'library'>, watcher: VideoWatcher): () => void {
    this.#watchers.add(watcher)
    if (this.#library !== null) this.#changed.notify('key')
    else this.#want(library)
    if (watcher.isMetered) this.#meteredChanged.notify()
    return () => {
      if (!this.#watchers.delete(watcher)) return
      if (this.#watchers.size === 0) this.#want(null)
      if (watcher.isMetered) this.#meteredChanged.notify()
    }
  }

  deliver(packet: VideoPacket): void {
    for (const { take, isMetered } of this.#watchers) {
      const bytes = take(packet)
      if (isMetered) this.#meteredBytes += bytes
    }
  }

  /** The engine can encode nothing: all leave. */
  fail(): void {
    for (const { ended } of [...this.#watchers]) ended()
  }

  /** Calls back after each change. */
  subscribe(changed: (what: VideoChange) => void): () => void {
    return this.#changed.add(changed)
  }

  /** Calls back when somebody came or left who watches over the network. */
  onMetered(changed: () => void): () => void {
    return this.#meteredChanged.add(changed)
  }

  #want(library: string | null): void {
    this.#library = library
    this.#changed.notify('wanted')
  }
}
