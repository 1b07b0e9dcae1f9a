// Where media items are kept: pictures and recordings as files, with what is known of them.
import type { Fault } from '../../machines/errors/fault.ts'
import type { MediaItem, MediaOrigin } from '../../machines/media/item.ts'
import type { MediaKind, MediaType } from '../../machines/media/media-type.ts'
import { token } from '../../machines/token.ts'

/**
 * What somebody wants to store.
 *
 * name: what people call it; the item is given a name made of that. automatic: nobody asked for this one, so it may be deleted, the oldest first, when
 * room is needed. captured_ms: when its first picture was taken, Unix time. bytes: how large it will be, where that is known.
 */
export interface MediaWish {
  readonly kind: MediaKind
  readonly origin: MediaOrigin
  readonly media_type: MediaType
  readonly name?: string
  readonly stream_id?: string
  readonly automatic?: boolean
  readonly captured_ms?: number
  readonly bytes?: number
  readonly edited_from?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What is known of the content when it is there. truncated: it ended early, and what is whole of it is there. */
export interface MediaFacts {
  readonly width_px?: number
  readonly height_px?: number
  readonly duration_ms?: number
  readonly frames?: number
  readonly truncated?: boolean
}

/**
 * An item that is being written. It stands in the list from its beginning on, in state `writing`, and its name is taken.
 *
 * Whoever writes creates the file at `path` (nothing is there yet) and appends to it, in this process or another, closes it, and calls `complete` or
 * `abandon`; what comes after the first of these calls does nothing. When the service stops without either, the next start keeps what is whole of a recording (flaw `interrupted`) and
 * removes everything else.
 */
export interface MediaDraft {
  /** Of the item: its id. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** Absolute; JSON lines of results, served as `GET /v1/media/{name}?as=results`. May stay unwritten. */
  readonly sidecarPath: string
  /** Aborted when no room is left for more: write no further, close the file, and call `complete` with `truncated`. */
  readonly noRoom: AbortSignal
  /** Syncs the files and shows the item as `ready`. A fault (`storage.full`, `storage.failed`) leaves nothing behind. */
  readonly complete: (facts: MediaFacts) => Promise<MediaItem | Fault>
  /** Removes all of it. */
  readonly abandon: () => Promise<void>
}

/** The media items of this device. Nothing of it rejects. */
export interface MediaStore {
  /** Begins an item. Answers `storage.full` when there is no room, `actor.unavailable` as long as the store is not ready. */
  readonly begin: (wish: MediaWish) => Promise<MediaDraft | Fault>
}

/** The media items. */
export const MEDIA_STORE = token<MediaStore>('media-store')
