// Pictures on demand: what viewers want of a stream, merged into what its engine is asked to encode.
import { Latest } from '../latest.ts'
import { Listeners, type OnBug } from '../listeners.ts'

/**
 * One kind of picture that somebody watches.
 *
 * key: returned with each picture of this kind. max_width_px 0: full size. quality 0: as the camera made it when that is a JPEG and nothing is
 * drawn, else 75. overlay: outlines and ids of the detected tags. fps 0: every processed frame. is_delivered: whether this process gets them; otherwise the engine shows
 * them to its viewers and keeps them (default: it does).
 */
export interface PictureKind {
  readonly key: string
  readonly max_width_px: number
  readonly quality: number
  readonly overlay: boolean
  readonly fps: number
  readonly is_delivered?: boolean
}

/** How somebody wants the pictures. */
export type PictureWant = Omit<PictureKind, 'key' | 'is_delivered'>

/** A JPEG. passthrough: the camera's own bytes. captured_us: CLOCK_MONOTONIC, mid-exposure. */
export interface Picture {
  readonly key: string
  readonly seq: number
  readonly captured_us: number
  readonly width_px: number
  readonly height_px: number
  readonly passthrough: boolean
  readonly jpeg: Uint8Array
}

/** A viewer's share of a board: the newest picture of its kind, until released. */
export interface PictureWatch {
  readonly key: string
  readonly pictures: Latest<Picture>
  /** Whether the pictures are to come here, or the engine shows them itself. At first they come. */
  readonly deliver: (isDelivered: boolean) => void
  readonly release: () => void
}

/** Each kind costs an encoding per frame; a device with two cores cannot afford more. */
export const MAX_PICTURE_KINDS = 6

/** One kind, and who watches it. */
interface Watched {
  readonly pictures: Latest<Picture>
  readonly kind: Omit<PictureKind, 'fps' | 'is_delivered'>
  readonly shares: Set<Share>
}

/** What one of them needs. */
interface Share {
  readonly fps: number
  isDelivered: boolean
}

/** Who watches what of one stream. Viewers of the same kind share one encoding; the fastest sets its rate. */
export class PictureBoard {
  readonly #kinds = new Map<string, Watched>()
  readonly #changed: Listeners<void>
  readonly #onBug: OnBug | undefined

  /** onBug: told of what a listener threw. */
  constructor(onBug?: OnBug) {
    this.#onBug = onBug
    this.#changed = new Listeners(onBug)
  }

  /** Number of watches held. */
  get viewers(): number {
    let viewers = 0
    for (const { shares } of this.#kinds.values()) viewers += shares.size
    return viewers
  }

  /** Of them, those whom the engine shows the pictures itself. */
  get served(): number {
    let served = 0
    for (const { shares } of this.#kinds.values()) for (const { isDelivered } of shares) served += isDelivered ? 0 : 1
    return served
  }

  /** undefined when MAX_PICTURE_KINDS other kinds are being watched already. */
  watch(want: PictureWant): PictureWatch | undefined {
    const key = `${want.max_width_px}/${want.quality}/${want.overlay ? 'overlay' : 'plain'}`
    const watched = this.#kinds.get(key) ?? this.#add(key, want)
    if (!watched) return undefined
    const share: Share = { fps: want.fps, isDelivered: true }
    watched.shares.add(share)
    this.#changed.notify()
    return {
      key,
      pictures: watched.pictures,
      deliver: (isDelivered) => {
        if (share.isDelivered === isDelivered || !watched.shares.has(share)) return
        share.isDelivered = isDelivered
        this.#changed.notify()
      },
      release: () => {
        if (!watched.shares.delete(share)) return
        if (watched.shares.size === 0) this.#kinds.delete(key)
        this.#changed.notify()
      },
    }
  }

  /** What the engine is to encode now. */
  wanted(): Required<PictureKind>[] {
    return [...this.#kinds.values()].map(({ kind, shares }) => {
      const fps = [...shares].map((share) => share.fps)
      return {
        ...kind,
        fps: fps.includes(0) ? 0 : Math.max(...fps),
        is_delivered: [...shares].some(({ isDelivered }) => isDelivered),
      }
    })
  }

  /** Hands a picture to the viewers of its kind; one that nobody waits for any more is dropped. */
  deliver(picture: Picture): void {
    this.#kinds.get(picture.key)?.pictures.set(picture)
  }

  /** Calls back after each change of the kinds. */
  subscribe(changed: () => void): () => void {
    return this.#changed.add(changed)
  }

  #add(key: string, want: PictureWant): Watched | undefined {
    if (this.#kinds.size >= MAX_PICTURE_KINDS) return undefined
    const { max_width_px, quality, overlay } = want
    const watched = {
      pictures: new Latest<Picture>(this.#onBug),
      kind: { key, max_width_px, quality, overlay },
      shares: new Set<Share>(),
    }
    this.#kinds.set(key, watched)
    return watched
  }
}
