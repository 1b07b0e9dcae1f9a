// The media items of this device: files in a folder, and in the index what is known of them. A row counts, so it is
// written first of what comes and last of what goes; what a power cut leaves in between is put in order at the next
// start (reconcile.ts).
import { access } from 'node:fs/promises'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import type { Disk } from '../../machines/media/disk-space.ts'
import type { Edit } from '../../machines/media/edits.ts'
import { type Attachable, type MediaItem, mediaNotFound } from '../../machines/media/item.ts'
import { defaultStem, newMediaName } from '../../machines/media/name.ts'
import { changedItem, type MediaChange, notReady, tooLong } from '../../machines/media/orders.ts'
import type { MediaPage, MediaQuery } from '../../machines/media/query.ts'
import type { LeftBehind, RequestMark } from '../../machines/requests/request.ts'
import type { Clock } from '../clock/port.ts'
import type { MediaRows, OrderedRemoval } from '../documents/port.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import { type ModelChecker, modelChecker } from '../models/checker.ts'
import { defaultPatience } from './arrival.ts'
import { Draft } from './draft.ts'
import { edit } from './edit.ts'
import { attempted } from './faults.ts'
import type { MediaFolder, Part } from './folder.ts'
import type { InUse } from './in-use.ts'
import { PlacesOfRecordings } from './known-places.ts'
import { openMedia } from './open.ts'
import { type PictureEditor, pictureProgram } from './picture-edit.ts'
import type {
  MadeMedia,
  MediaDraft,
  MediaNews,
  MediaRequest,
  MediaStore,
  OpenMedia,
  SideCarUpload,
  Upload,
} from './port.ts'
import { put } from './put.ts'
import { receive } from './receive.ts'
import { reconcile } from './reconcile.ts'
import { freeSpace, keepSpaceFree, type RoomStore } from './room.ts'
import { attach } from './side-cars.ts'
import type { Patience, StoreInternals } from './store-internals.ts'

/** What a store is made of. */
export interface MediaStoreParts {
  readonly folder: MediaFolder
  /** The index; undefined as long as nobody has opened it. */
  readonly rows: () => MediaRows | undefined
  readonly clock: Pick<Clock, 'nowMs'>
  /** Told of what a listener threw. */
  readonly onBug?: OnBug
  readonly patience?: Patience
  readonly editor?: PictureEditor
  readonly checker?: ModelChecker
  /** Why an item must stay. */
  readonly inUse?: InUse
  /** How long a caller waits at most until the store is ready; default: 1.5 s. */
  readonly readyLimitMs?: number
}

const READY_LIMIT_MS = 1_500 // what is ordered over the API is answered within 2 s

const COMING_UP: Fault = {
  code: 'actor.unavailable',
  detail: 'the media are being looked through; try again in a moment',
}

/** The store on a folder and an index. */
export class FileMedia implements MediaStore, StoreInternals, RoomStore {
  readonly news: Listeners<MediaNews>
  readonly folder: MediaFolder
  readonly patience: Patience
  readonly editor: PictureEditor
  readonly checker: ModelChecker
  readonly places = new PlacesOfRecordings()
  readonly #parts: MediaStoreParts
  /** What is being written. */
  readonly drafts = new Set<Draft>()
  /** Recordings whose end could not be stored. */
  readonly #left = new Set<Draft>()
  /** Names of those that were made in this run. */
  readonly #made = new Set<string>()
  #isReady = false
  readonly #ready = Promise.withResolvers<void>()
  #mending: Promise<readonly Fault[] | Fault> | undefined
  readonly #changing = new SerialQueue()
  readonly #naming = new SerialQueue()
  /** Items that are whole as their rows say, and whose files are on their way to their places. */
  readonly #placing = new Map<string, Promise<void>>()

  constructor(parts: MediaStoreParts) {
    this.#parts = parts
    this.folder = parts.folder
    this.patience = parts.patience ?? defaultPatience
    this.editor = parts.editor ?? pictureProgram()
    this.checker = parts.checker ?? modelChecker()
    this.news = new Listeners(parts.onBug)
  }

  nowMs(): number {
    return this.#parts.clock.nowMs()
  }

  async rows<Value>(work: (rows: MediaRows) => Effect.Effect<Value, Fault>): Promise<Value | Fault> {
    const rows = this.#parts.rows()
    if (!rows) return COMING_UP
    const done = await Effect.runPromise(Effect.result(work(rows)))
    return Result.isSuccess(done) ? done.success : done.failure
  }

  async get(name: string): Promise<MediaItem | Fault> {
    return (await this.rows((rows) => rows.find(name))) ?? mediaNotFound(name)
  }

  page(query: MediaQuery): Promise<MediaPage | Fault> {
    return this.rows((rows) => rows.page(query))
  }

  disk(): Promise<Disk | Fault> {
    return this.attempt(this.folder.disk())
  }

  async pathOf(name: string): Promise<string | Fault> {
    const item = await this.get(name)
    if (isFault(item)) return item
    if (item.state !== 'ready') return notReady(name)
    await this.placed(name)
    return this.folder.at(name)
  }

  open(name: string, part: Part): Promise<OpenMedia | Fault> {
    return this.attempt(openMedia(this, name, part))
  }

  receive(upload: Upload): Promise<MediaItem | Fault> {
    return this.attempt(receive(this, upload))
  }

  put(wanted: MediaRequest, made: MadeMedia): Promise<MediaItem | Fault> {
    return this.attempt(put(this, wanted, made))
  }

  edit(name: string, edits: readonly Edit[], request?: RequestMark): Promise<MediaItem | Fault> {
    return this.attempt(edit(this, { name, edits, request }))
  }

  attach(name: string, part: Attachable, arriving: SideCarUpload): Promise<LeftBehind | Fault> {
    return this.attempt(attach(this, { name, part }, arriving))
  }

  makeRoomBeside(bytes: number): Promise<Fault | undefined> {
    return freeSpace(this, { kind: null, bytes, items: 0 })
  }

  begin(wanted: MediaRequest): Promise<MediaDraft | Fault> {
    return this.attempt(this.#begin(wanted))
  }

  /** Once: what this process writes afterwards is no leftover of another. */
  async reconcile(): Promise<readonly Fault[] | Fault> {
    if (this.#isReady) return []
    this.#mending ??= this.attempt(reconcile(this)).finally(() => {
      this.#mending = undefined
    })
    const mended = await this.#mending
    if (isFault(mended)) return mended
    this.#isReady = true
    this.#ready.resolve()
    return mended
  }

  async whenReady(): Promise<Fault | undefined> {
    if (this.#isReady) return undefined
    const limit = Promise.withResolvers<void>()
    const timer = setTimeout(limit.resolve, this.#parts.readyLimitMs ?? READY_LIMIT_MS)
    await Promise.race([this.#ready.promise, limit.promise])
    clearTimeout(timer)
    return this.#isReady ? undefined : COMING_UP
  }

  get isWriting(): boolean {
    return this.drafts.size + this.#left.size > 0
  }

  keepRoom(): Promise<Fault | null> {
    return keepSpaceFree(this)
  }

  async finishLeft(): Promise<void> {
    for (const draft of [...this.#left])
      await this.#inTurn(async () => {
        if (this.#left.has(draft)) await draft.finishAgain()
        const hasAnything = draft.isLeft && (await isThere(draft.path))
        if (!hasAnything) this.#left.delete(draft)
      })
  }

  carryOut(change: MediaChange): Promise<LeftBehind | Fault> {
    if (!this.#isReady) return Promise.resolve(COMING_UP)
    return this.#inTurn(() => this.#carryOut(change))
  }

  /** Whether it is gone. It may have been marked meanwhile as one to keep. */
  makeWay(name: string): Promise<boolean | Fault> {
    return this.#inTurn(async () => {
      const item = await this.get(name)
      if (isFault(item)) return item.code === 'media.not_found' || item
      if (!item.automatic || item.state !== 'ready' || (await this.#inUse(name))) return false
      return (await this.remove(name)) ?? true
    })
  }

  /**
   * Its row goes last, so that no file is left that nobody knows. On a full disk there is no room even for the note
   * that it goes: then its files go first, and make some.
   */
  async remove(name: string, ordered?: OrderedRemoval): Promise<Fault | undefined> {
    const leaving = await this.rows((rows) => rows.leave(name, ordered))
    if (isFault(leaving) && leaving.code !== 'storage.full') return leaving
    this.news.notify({ name, item: null })
    this.#made.delete(name)
    await this.folder.remove(name)
    await this.folder.settleNames()
    const gone = await this.rows((rows) => rows.drop(name, isFault(leaving) ? ordered : undefined))
    return isFault(gone) ? gone : undefined
  }

  async add(item: MediaItem): Promise<Fault | undefined> {
    const added = await this.rows((rows) => rows.put(item))
    if (isFault(added)) return added
    this.#made.add(item.name)
    this.news.notify({ name: item.name, item })
    return undefined
  }

  keep(item: MediaItem, request?: RequestMark, place?: () => Promise<void>): Promise<Fault | undefined> {
    const kept = this.#keep(item, request, place)
    if (place) {
      const placed = kept.then(
        () => {},
        () => {},
      )
      this.#placing.set(item.name, placed)
      placed.then(() => this.#placing.delete(item.name))
    }
    return kept
  }

  async placed(name: string): Promise<void> {
    await this.#placing.get(name)
  }

  async #keep(
    item: MediaItem,
    request: RequestMark | undefined,
    place: (() => Promise<void>) | undefined,
  ): Promise<Fault | undefined> {
    const kept = await this.rows((rows) => rows.change(item, request))
    if (isFault(kept)) return kept
    if (!kept) return mediaNotFound(item.name)
    await place?.()
    this.news.notify({ name: item.name, item })
    return undefined
  }

  async clockSet(by_ms: number): Promise<readonly Fault[]> {
    const drafts = [...this.drafts, ...this.#left]
    const whole = [...this.#made].filter((name) => !drafts.some((draft) => draft.name === name))
    const ending = drafts.filter(({ end }) => end)
    for (const draft of drafts) if (!draft.end) draft.clockSet(by_ms)
    const faults: (Fault | undefined)[] = []
    for (const name of whole) faults.push(await this.#makeLater(name, by_ms))
    for (const draft of ending)
      if (await this.#isOver(draft, by_ms)) faults.push(await this.#makeLater(draft.name, by_ms))
    return faults.filter(isFault)
  }

  async #makeLater(name: string, by_ms: number): Promise<Fault | undefined> {
    const item = await this.get(name)
    if (isFault(item)) return undefined
    const { edited_from } = item
    const wasCaptured = edited_from === null || this.#made.has(edited_from)
    const done = await this.carryOut({ type: 'media.clock-set', name, by_ms, wasCaptured })
    return isFault(done) && done.code !== 'media.not_found' ? done : undefined
  }

  /** Waits for a draft that is being ended. False: it could not be, and has been told of the clock. */
  async #isOver(draft: Draft, byMs: number): Promise<boolean> {
    await draft.end
    const isLeft = await this.#inTurn(async () => {
      const isLeft = this.#left.has(draft)
      if (isLeft) draft.clockSet(byMs)
      return isLeft
    })
    return isLeft !== true
  }

  attempt<Value>(work: Promise<Value>): Promise<Value | Fault> {
    return attempted(this.folder.path, work)
  }

  async #begin(wanted: MediaRequest): Promise<MediaDraft | Fault> {
    const comingUp = await this.whenReady()
    if (comingUp) return comingUp
    const refusal = tooLong(wanted.metadata ?? {})
    if (refusal) return refusal
    const fault = await freeSpace(this, { kind: wanted.kind, bytes: wanted.bytes ?? 0, items: 1 })
    if (fault) return fault
    const draft = await this.#naming.inTurn(() => this.#named(wanted))
    if (isFault(draft)) return draft
    const begun = await this.attempt(this.folder.begin(draft.name))
    if (!isFault(begun)) return draft
    await draft.abandon()
    return begun
  }

  /** One after the other: a name that was found free is free until its row is there. */
  async #named(wanted: MediaRequest): Promise<Draft | Fault> {
    const item = newItem(wanted, await this.#newName(wanted), this.nowMs())
    const draft = new Draft(this, { item, request: wanted.request }, (each) => this.#ended(each))
    this.drafts.add(draft)
    const refused = await this.add(item)
    if (!refused) return draft
    this.drafts.delete(draft)
    return refused
  }

  #ended(draft: Draft): void {
    this.drafts.delete(draft)
    if (draft.isLeft) this.#left.add(draft)
  }

  async #inUse(name: string): Promise<Fault | undefined> {
    return this.#parts.inUse?.(name, this.folder.at(name))
  }

  /** One after the other, so that none overwrites what another has changed. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value | Fault> {
    return this.#changing.inTurn(() => this.attempt(work()))
  }

  async #newName(wanted: MediaRequest): Promise<string> {
    const defaultName = defaultStem(
      wanted.stream_id ?? wanted.kind,
      new Date(wanted.captured_ms ?? this.nowMs()).toISOString(),
    )
    const names = newMediaName({
      defaultName,
      type: wanted.media_type,
      ...(wanted.name !== undefined && { requested: wanted.name }),
    })
    let asked = names.next()
    while (!asked.done) asked = names.next(await this.#isTaken(asked.value))
    return asked.value
  }

  async #isTaken(name: string): Promise<boolean> {
    return (await this.rows((rows) => rows.knows(name))) === true || (await isThere(this.folder.at(name)))
  }

  async #carryOut(change: MediaChange): Promise<LeftBehind | Fault> {
    const { name, request } = change
    // before its row is read, which may be another a moment later
    const isLeft = ![...this.drafts].some((draft) => draft.name === name)
    const item = await this.get(name)
    if (isFault(item)) return item
    const after = changedItem(item, change, isLeft)
    if (isFault(after)) return after
    if (after === null) {
      const gone = { id: name, revision: item.revision + 1 }
      return (await this.#removed(gone, request)) ?? gone
    }
    if (change.type === 'media.attach') await this.folder.attach(change.path, name, change.part)
    if (change.type === 'media.detach') await this.folder.removePart(name, change.part)
    if (change.type !== 'media.describe') await this.folder.settleNames()
    return (await this.keep(after, request)) ?? { id: name, revision: after.revision }
  }

  async #removed({ id: name, revision }: LeftBehind, mark: RequestMark | undefined): Promise<Fault | undefined> {
    const fault = (await this.#inUse(name)) ?? (await this.remove(name, { mark, revision }))
    if (fault) return fault
    for (const draft of this.#left) if (draft.name === name) this.#left.delete(draft)
    return undefined
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const newItem = (wanted: MediaRequest, name: string, nowMs: number): MediaItem => ({
  name,
  revision: 1,
  kind: wanted.kind,
  origin: wanted.origin,
  state: 'writing',
  media_type: wanted.media_type,
  size_bytes: 0,
  etag: null,
  created_at_ms: nowMs,
  captured_at_ms: wanted.captured_ms ?? null,
  stream_id: wanted.stream_id ?? null,
  width_px: null,
  height_px: null,
  duration_ms: null,
  frames: null,
  flaw: null,
  automatic: wanted.automatic ?? false,
  edited_from: wanted.edited_from ?? null,
  side_cars: { label: null, imu: null, results: null },
  metadata: wanted.metadata ?? {},
})
