// Pictures on demand: what viewers want of a stream, merged into what its engine is asked to encode.
import type { Result } from '../engine/result.ts'
import { Latest } from '../latest.ts'
import { Listeners, type OnBug } from '../listeners.ts'

/** One kind of picture that somebody watches. */
export interface PictureKind {
  /** Returned with each picture of this kind. */
  readonly key: string
  /** Of the pipeline, whose picture it is; empty: the camera's. */
  readonly output?: string
  /** 0: full size. */
  readonly max_width_px: number
  /** 0: as the camera made it when that is a JPEG and nothing is drawn, else 75. */
  readonly quality: number
  /** Whether outlines and ids of the detected tags are drawn. */
  readonly overlay: boolean
  /** 0: every processed frame. */
  readonly fps: number
  /**
   * Whether this process gets them; otherwise the engine shows them to its viewers and keeps them (default: it does).
   */
  readonly is_delivered?: boolean
  /** Whether those that this process gets come with the result of their frame (default: they do not). */
  readonly has_results?: boolean
}

/** How somebody wants the pictures. Nothing is drawn onto an output but what its pipeline draws. */
export interface PictureWant extends Omit<PictureKind, 'key' | 'is_delivered'> {
  /** Whether they go over the network, within the bandwidth budget. */
  readonly isMetered?: boolean
}

/**
 * What the viewers of a metered kind get of it: so many pictures a second at most, made smaller to that width; 0: as
 * they were asked for.
 */
export interface PictureGrant {
  readonly fps: number
  readonly max_width_px: number
}

/** What no viewer gets more of, whatever it asked for. */
export interface PictureLimit {
  /** Pictures a second; null: any number. */
  readonly fps: number | null
  /** null: any width. */
  readonly max_width_px: number | null
  /** Whether the camera's own JPEGs, which cost nothing but their bytes, are shown as wide as they are. */
  readonly sparesOwnJpegs: boolean
}

const UNLIMITED: PictureLimit = { fps: null, max_width_px: null, sparesOwnJpegs: true }

/** What those who watch the same have in common. */
type AskedKind = Required<Omit<PictureKind, 'fps' | 'is_delivered' | 'has_results'>>

/** What a viewer has been sent so far. picture_bytes: of the newest picture, where that is known. */
export interface Sent {
  readonly bytes: number
  readonly picture_bytes: number | null
}

/** A metered kind, and who watches it. */
export interface MeteredKind extends AskedKind {
  /** The picture, where it came to this process. */
  readonly newest: Picture | undefined
  readonly viewers: readonly { readonly fps: number; readonly sent: () => Sent }[]
}

/** A JPEG. */
export interface Picture {
  /** Of its kind. */
  readonly key: string
  readonly seq: number
  /** CLOCK_MONOTONIC, mid-exposure. */
  readonly captured_us: number
  readonly width_px: number
  readonly height_px: number
  /** Whether these are the camera's own bytes. */
  readonly passthrough: boolean
  readonly jpeg: Uint8Array
  /** What was found in its very frame; null: nothing was looked for in it; undefined: nobody has asked for that. */
  readonly result?: Result | null
}

/** A viewer's share of a board: the newest picture of its kind, until released. */
export interface PictureWatch {
  readonly key: string
  readonly pictures: Latest<Picture>
  /** Whether the pictures are to come here, or the engine shows them itself. At first they come. */
  readonly deliver: (isDelivered: boolean) => void
  /** How it is found out what its viewer has been sent. */
  readonly measure: (sent: () => Sent) => void
  readonly release: () => void
}

/** Each kind costs an encoding per frame; a device with two cores cannot afford more. */
export const MAX_PICTURE_KINDS = 6

/** One kind, and who watches it. */
interface Watched {
  readonly pictures: Latest<Picture>
  readonly kind: AskedKind
  readonly isMetered: boolean
  readonly shares: Set<Share>
}

/** What one of them needs. */
interface Share {
  readonly fps: number
  readonly hasResults: boolean
  isDelivered: boolean
  sent: () => Sent
}

const NOTHING_SENT: Sent = { bytes: 0, picture_bytes: null }

/** Who watches what of one stream. Viewers of the same kind share one encoding; the fastest sets its rate. */
export class PictureBoard {
  readonly #kinds = new Map<string, Watched>()
  #grants: ReadonlyMap<string, PictureGrant> = new Map()
  #limit = UNLIMITED
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
    const key = keyOf(want)
    const watched = this.#kinds.get(key) ?? this.#add(key, want)
    if (!watched) return undefined
    const { fps, has_results: hasResults = false } = want
    const share: Share = { fps, hasResults, isDelivered: true, sent: () => NOTHING_SENT }
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
      measure: (sent) => {
        share.sent = sent
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
        ...this.#limited(
          kind,
          granted({ ...kind, fps: fps.includes(0) ? 0 : Math.max(...fps) }, this.#grants.get(kind.key)),
        ),
        is_delivered: [...shares].some(({ isDelivered }) => isDelivered),
        has_results: [...shares].some(({ hasResults }) => hasResults),
      }
    })
  }

  /** What is watched over the network. */
  metered(): readonly MeteredKind[] {
    return [...this.#kinds.values()]
      .filter(({ isMetered }) => isMetered)
      .map(({ kind, pictures, shares }) => ({ ...kind, newest: pictures.value, viewers: [...shares] }))
  }

  /** What each metered kind gets from now on, by its key; one that is not named gets all that it wants. */
  grant(grants: ReadonlyMap<string, PictureGrant>): void {
    this.#change(() => {
      this.#grants = grants
    })
  }

  /** What every viewer gets from now on at most, over the network or not; undefined: as it is granted. */
  limit(limit: PictureLimit | undefined): void {
    this.#change(() => {
      this.#limit = limit ?? UNLIMITED
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

  #change(change: () => void): void {
    const before = JSON.stringify(this.wanted())
    change()
    if (JSON.stringify(this.wanted()) !== before) this.#changed.notify()
  }

  #limited({ output, quality, overlay }: AskedKind, got: Shown): Shown {
    const { fps, max_width_px, sparesOwnJpegs } = this.#limit
    const isOwnJpeg = sparesOwnJpegs && got.max_width_px === 0 && quality === 0 && output === '' && !overlay
    return { fps: lesser(got.fps, fps), max_width_px: isOwnJpeg ? 0 : lesser(got.max_width_px, max_width_px) }
  }

  #add(key: string, want: PictureWant): Watched | undefined {
    if (this.#kinds.size >= MAX_PICTURE_KINDS) return undefined
    const { max_width_px, quality, overlay, output = '', isMetered = false } = want
    const watched = {
      isMetered,
      pictures: new Latest<Picture>(this.#onBug),
      kind: { key, output, max_width_px, quality, overlay: overlay && output === '' },
      shares: new Set<Share>(),
    }
    this.#kinds.set(key, watched)
    return watched
  }
}

/** The same for those who share an encoding. */
const keyOf = ({ output, max_width_px, quality, overlay, isMetered }: PictureWant): string =>
  [
    ...[max_width_px, quality, output ? `output ${output}` : overlay ? 'overlay' : 'plain'],
    ...(isMetered ? ['metered'] : []),
  ].join('/')

/** How a kind is shown. */
type Shown = Pick<PictureKind, 'fps' | 'max_width_px'>

/** A kind as far as it is granted. */
const granted = ({ fps, max_width_px }: Shown, grant: PictureGrant | undefined): Shown => ({
  fps: lesser(fps, grant && Number.isFinite(grant.fps) ? grant.fps : null),
  max_width_px: grant?.max_width_px || max_width_px,
})

/** 0 and null: no limit. */
const lesser = (asked: number, limit: number | null): number =>
  limit !== null && (asked === 0 || limit < asked) ? limit : asked
