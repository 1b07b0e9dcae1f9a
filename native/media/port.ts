// Where media items are kept: pictures and recordings as files, with what is known of them.
import type { Readable } from 'node:stream'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Listeners } from '../../machines/listeners.ts'
import type { Disk } from '../../machines/media/disk-space.ts'
import type { Edit } from '../../machines/media/edits.ts'
import type { Attachable, MediaItem, MediaOrigin, SideCar } from '../../machines/media/item.ts'
import type { MediaKind, MediaType } from '../../machines/media/media-type.ts'
import type { MediaChange } from '../../machines/media/orders.ts'
import type { MediaPage, MediaQuery } from '../../machines/media/query.ts'
import type { Model } from '../../machines/models/model.ts'
import type { LeftBehind, RequestMark } from '../../machines/requests/request.ts'
import type { Expected } from '../../machines/settings/commit.ts'
import { token } from '../../machines/token.ts'

/** A request to store an item. */
export interface MediaRequest {
  readonly kind: MediaKind
  readonly origin: MediaOrigin
  readonly media_type: MediaType
  /** What people call it; the item is given a name made of that. */
  readonly name?: string
  readonly stream_id?: string
  /** Nobody asked for this one, so it may be deleted, the oldest first, when room is needed. */
  readonly automatic?: boolean
  /** When its first picture was taken, Unix time. */
  readonly captured_ms?: number
  /** How large it will be, where that is known. */
  readonly bytes?: number
  readonly edited_from?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Of the client that ordered it; its mark is kept with the item when that is whole. */
  readonly request?: RequestMark
}

/** What is known of the content when it is there. truncated: it ended early, and what is whole of it is there. */
export interface MediaFacts {
  readonly width_px?: number | undefined
  readonly height_px?: number | undefined
  readonly duration_ms?: number | undefined
  readonly frames?: number | undefined
  readonly model?: Model | undefined
  readonly truncated?: boolean | undefined
}

/**
 * An item that is being written. It stands in the list from its beginning on, in state `writing`, and its name is
 * taken.
 *
 * The writer opens the empty file at `path` (not exclusively: it is there, so that its name is on the disk), writes, in
 * this process or another, closes it, and calls `complete` or `abandon`; the first of these calls counts. When the
 * service stops without either, the next start keeps what is whole of a recording (flaw `interrupted`) and removes
 * everything else.
 */
export interface MediaDraft {
  /** Of the item: its id. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** Absolute; JSON lines of results, served as `GET /v1/media/{name}?as=results`. May stay unwritten. */
  readonly sidecarPath: string
  /**
   * Puts whole lines of an IMU's measurements beside it, until it is completed or abandoned. False: they are left out,
   * since the disk is too slow for them, or there are very many.
   */
  readonly appendImu: (lines: string) => boolean
  /** Aborted when no room is left for more: write no further, close the file, and call `complete` with `truncated`. */
  readonly noRoom: AbortSignal
  /**
   * Syncs the files and shows the item as `ready`. A fault (`storage.full`, `storage.failed`) leaves nothing behind,
   * but for a recording of a stream: that is tried again (`finishLeft`), and at the next start.
   */
  readonly complete: (facts: MediaFacts) => Promise<MediaItem | Fault>
  /** Removes all of it. */
  readonly abandon: () => Promise<void>
}

/** A file of an item, open for reading; the caller closes it. */
export interface OpenMedia {
  readonly item: MediaItem
  readonly size_bytes: number
  readonly media_type: string
  /** The bytes from one to another, the last included; closes the file at its end, and when it is destroyed. */
  readonly stream: (first: number, last: number) => Readable
  /**
   * What a recording holds, from a time on, µs since its first picture; `media.no_pictures` where that is no JPEGs in
   * fragments, `storage.failed`.
   */
  readonly pictures: (fromUs: number) => Promise<AsyncGenerator<RecordedPicture> | Fault>
  readonly close: () => Promise<void>
}

/** A picture as it was recorded. */
export interface RecordedPicture {
  /** Since the first. */
  readonly pts_us: number
  readonly size_bytes: number
  /** Its bytes, as long as the file is open; however large it says that it is, none of them is long. */
  readonly pieces: () => AsyncGenerator<Uint8Array>
}

/** Bytes that arrive from somewhere. length: how many, when their sender has said so. */
export interface Arriving {
  readonly body: Readable
  readonly length?: number | undefined
}

/** An upload: what its sender calls it, and its bytes. */
export interface Upload extends Arriving {
  readonly name?: string | undefined
  readonly automatic?: boolean | undefined
}

/** A file that is to lie beside an item, and the revisions that the item may have then. */
export type SideCarUpload = Arriving & Expected

/** A picture that is there already. results: JSON lines, to lie beside it. */
export interface MadeMedia extends MediaFacts {
  readonly bytes: Uint8Array
  readonly results?: string
}

/** Something became of an item. item: null when it is gone. */
export interface MediaNews {
  readonly name: string
  readonly item: MediaItem | null
}

/** The media items of this device. Nothing of it throws or rejects. */
export interface MediaStore {
  /**
   * Undefined as soon as files and index fit. A caller right after a start waits for that, a moment as a rule;
   * `actor.unavailable` where it takes longer. What writes here waits by itself.
   */
  readonly whenReady: () => Promise<Fault | undefined>
  /**
   * Begins an item. Answers `storage.full` when there is no room, `actor.unavailable` as long as the store is not
   * ready.
   */
  readonly begin: (wanted: MediaRequest) => Promise<MediaDraft | Fault>
  /** `media.not_found`. */
  readonly get: (name: string) => Promise<MediaItem | Fault>
  readonly page: (query: MediaQuery) => Promise<MediaPage | Fault>
  /** The disk that they lie on: `storage.failed`. */
  readonly disk: () => Promise<Disk | Fault>
  /** Where the content of an item lies, for callers that open it themselves: `media.not_found`, `media.not_ready`. */
  readonly pathOf: (name: string) => Promise<string | Fault>
  /**
   * The content of an item that is ready, or a file beside it: `media.not_found`, `media.not_ready`,
   * `media.no_side_car`.
   */
  readonly open: (name: string, part: 'content' | SideCar) => Promise<OpenMedia | Fault>
  /**
   * Stores what arrives, without ever holding all of it in memory: `media.invalid`, `body.too_large`, `request.timeout`
   * when it comes too slowly, `request.malformed` when it ends before it is whole, `storage.full`. A fault leaves
   * nothing behind.
   */
  readonly receive: (upload: Upload) => Promise<MediaItem | Fault>
  /**
   * Stores what is in memory already. A JPEG without Huffman tables, as cameras send them, is given the standard ones.
   */
  readonly put: (wanted: MediaRequest, made: MadeMedia) => Promise<MediaItem | Fault>
  /**
   * Makes another version of a picture, which stays as it is: `body.invalid` for an edit that is not possible,
   * `media.invalid`, `device.failed`.
   */
  readonly edit: (name: string, edits: readonly Edit[], request?: RequestMark) => Promise<MediaItem | Fault>
  /**
   * Takes in a file that is to lie beside an item, checks it, and puts it there; one that lay there is replaced. Faults
   * as for `receive` and `carryOut`.
   */
  readonly attach: (name: string, part: Attachable, arriving: SideCarUpload) => Promise<LeftBehind | Fault>
  /** Told whenever an item came, changed or went. */
  readonly news: Listeners<MediaNews>

  /**
   * For the one who keeps the store (actors/media). Mends what does not fit, once, and makes the store ready; answers
   * with what was mended.
   */
  readonly reconcile: () => Promise<readonly Fault[] | Fault>
  /** Whether something is being written, or is left to be finished. */
  readonly isWriting: boolean
  /** As above. Makes room while something is being written, and says so when there is none; null: there is. */
  readonly keepRoom: () => Promise<Fault | null>
  /** As above. Tries to finish recordings whose end could not be stored. */
  readonly finishLeft: () => Promise<void>
  /** The clock was set: what was made in this run, or is being made, was made so much later. What could not be kept. */
  readonly clockSet: (byMs: number) => Promise<readonly Fault[]>
  /** As above. Changes or removes an item; answers with the revision that it has then, or would have. */
  readonly carryOut: (change: MediaChange) => Promise<LeftBehind | Fault>
}

/** The media items. */
export const MEDIA_STORE = token<MediaStore>('media-store')
