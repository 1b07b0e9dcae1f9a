// The internals of the store that its parts share.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { MediaChange } from '../../machines/media/orders.ts'
import type { LeftBehind, RequestMark } from '../../machines/requests/request.ts'
import type { MediaRows, OrderedRemoval } from '../documents/port.ts'
import type { ModelChecker } from '../models/checker.ts'
import type { MediaFolder } from './folder.ts'
import type { PlacesOfRecordings } from './known-places.ts'
import type { PictureEditor } from './picture-edit.ts'
import type { MediaDraft, MediaRequest } from './port.ts'

/**
 * How long an upload may take, and how much it may send.
 *
 * At least `minBytes` in each `windowMs`, all of it within `totalMs`: a connection that drips holds a file and a name
 * for nothing.
 */
export interface Patience {
  readonly windowMs: number
  readonly minBytes: number
  readonly totalMs: number
  readonly maxBytes: number
}

/** The store from within. */
export interface StoreInternals {
  readonly folder: MediaFolder
  readonly patience: Patience
  readonly editor: PictureEditor
  readonly checker: ModelChecker
  /** In recordings that are looked through. */
  readonly places: PlacesOfRecordings
  readonly nowMs: () => number
  /** Does something with the index. */
  readonly rows: <Value>(work: (rows: MediaRows) => Effect.Effect<Value, Fault>) => Promise<Value | Fault>
  readonly get: (name: string) => Promise<MediaItem | Fault>
  /** See the port. */
  readonly whenReady: () => Promise<Fault | undefined>
  /** Makes room for so much beside an item, or says why there is none. */
  readonly makeRoomBeside: (bytes: number) => Promise<Fault | undefined>
  readonly begin: (wanted: MediaRequest) => Promise<MediaDraft | Fault>
  /** Keeps a new item, and tells of it. */
  readonly add: (item: MediaItem) => Promise<Fault | undefined>
  /**
   * Keeps an item that is there as it is now, with the mark of the request that ordered it, and tells of it;
   * `media.not_found` when it has gone. place: puts its files in their places before anybody is told, and before
   * anybody reads them.
   */
  readonly keep: (item: MediaItem, request?: RequestMark, place?: () => Promise<void>) => Promise<Fault | undefined>
  /** When the files of an item that its row calls whole are in their places. */
  readonly placed: (name: string) => Promise<void>
  /** Removes an item with all its files. */
  readonly remove: (name: string, ordered?: OrderedRemoval) => Promise<Fault | undefined>
  readonly carryOut: (change: MediaChange) => Promise<LeftBehind | Fault>
  /** Answers with a fault instead of rejecting. */
  readonly attempt: <Value>(work: Promise<Value>) => Promise<Value | Fault>
}
