// An item that is being written, from its row to its file being where it belongs.
import { randomUUID } from 'node:crypto'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type MediaFlaw, type MediaItem, RESULTS_MEDIA_TYPE } from '../../machines/media/item.ts'
import type { MediaKind } from '../../machines/media/media-type.ts'
import { madeLater } from '../../machines/media/orders.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import { cutToLines, cutToWhole } from './cut-to-whole.ts'
import { LineFile } from './line-file.ts'
import type { MediaDraft, MediaFacts } from './port.ts'
import { recordedSince } from './recorded-since.ts'
import type { StoreInternals } from './store-internals.ts'

type DraftStore = Pick<StoreInternals, 'folder' | 'keep' | 'remove' | 'attempt'>

const NOTHING_WHOLE: Fault = {
  code: 'recording.failed',
  detail: 'the recording ended before half a second of it was in its file; nothing was kept',
}

const ABANDONED: Fault = { code: 'actor.ended', detail: 'the media item was given up before it was whole' }

/** request: of the client that ordered the item. ended: called once, when nothing is written any more. */
export class Draft implements MediaDraft {
  readonly name: string
  readonly path: string
  readonly sidecarPath: string
  readonly appendImu: (lines: string) => boolean
  readonly #imuPath: string
  readonly #imu: LineFile
  readonly #store: DraftStore
  #item: MediaItem
  readonly #request: RequestMark | undefined
  readonly #ended: () => void
  readonly #room = new AbortController()
  #end: Promise<MediaItem | Fault> | undefined
  #left: MediaFacts | undefined
  #setByMs = 0

  constructor(
    store: DraftStore,
    { item, request }: { readonly item: MediaItem; readonly request: RequestMark | undefined },
    ended: (draft: Draft) => void,
  ) {
    this.name = item.name
    this.path = store.folder.coming(item.name)
    this.sidecarPath = store.folder.coming(item.name, 'results')
    this.#imuPath = store.folder.coming(item.name, 'imu')
    this.#imu = new LineFile(this.#imuPath)
    this.appendImu = (lines) => this.#imu.append(lines)
    this.#store = store
    this.#item = item
    this.#request = request
    this.#ended = () => ended(this)
  }

  get kind(): MediaKind {
    return this.#item.kind
  }

  /** It is written to its end, and could not be put in its place: the files are there, and their row says `writing`. */
  get isLeft(): boolean {
    return this.#left !== undefined
  }

  get noRoom(): AbortSignal {
    return this.#room.signal
  }

  endForRoom(fault: Fault): void {
    this.#room.abort(fault)
  }

  /** Done when it has been ended, or could not be; undefined: it is not being ended yet. */
  get end(): Promise<unknown> | undefined {
    return this.#end
  }

  /** The clock was set: it is being made so much later. Not while it is being ended, when its row may be whole. */
  clockSet(byMs: number): void {
    this.#setByMs += byMs
    this.#item = madeLater(this.#item, { by_ms: byMs, wasCaptured: this.#item.edited_from === null })
    this.#store.keep(this.#item)
  }

  readonly complete = (facts: MediaFacts): Promise<MediaItem | Fault> => {
    this.#end ??= this.#finish(facts).finally(this.#ended)
    return this.#end
  }

  readonly abandon = async (): Promise<void> => {
    this.#end ??= this.#drop().finally(this.#ended)
    await this.#end
  }

  /** Tries again to put it in its place. */
  async finishAgain(): Promise<MediaItem | Fault> {
    const facts = this.#left ?? {}
    const done = await this.#whole(facts)
    if (!isFault(done) || done === NOTHING_WHOLE) this.#left = undefined
    return done
  }

  async #finish(facts: MediaFacts): Promise<MediaItem | Fault> {
    // measurements that could not all be written cost the recording nothing
    if (await this.#imu.end()) await this.#store.attempt(cutToLines(this.#imuPath))
    // nor do results, of which a full disk may have taken half a line
    if (this.#isOfStream) await this.#store.attempt(cutToLines(this.sidecarPath))
    const done = await this.#whole(facts)
    if (!isFault(done) || done === NOTHING_WHOLE) return done
    if (!this.#isOfStream) {
      await this.#drop()
      return done
    }
    this.#left = facts
    return done.code === 'storage.full' ? this.#withLess(facts, done) : done
  }

  /** A client that has sent it can send it again; what was recorded comes only once. */
  get #isOfStream(): boolean {
    return this.#item.kind === 'recording' && this.#item.origin !== 'upload'
  }

  async #whole(facts: MediaFacts): Promise<MediaItem | Fault> {
    if (facts.truncated && this.#item.kind === 'recording') {
      const whole = await this.#store.attempt(cutToWhole(this.path, this.sidecarPath))
      if (isFault(whole)) return whole
      if (whole === 0) {
        await this.#drop()
        return NOTHING_WHOLE
      }
    }
    const flaw = facts.truncated ? 'truncated' : null
    const ending = { facts, flaw, request: this.#request, setByMs: this.#setByMs } as const
    return this.#store.attempt(finished(this.#store, this.#item, ending))
  }

  /**
   * A disk that is full to its last byte has no room for the word that the recording is whole: its last fragment makes
   * some.
   */
  async #withLess({ width_px, height_px }: MediaFacts, full: Fault): Promise<MediaItem | Fault> {
    const whole = await this.#store.attempt(cutToWhole(this.path, this.sidecarPath, 1))
    if (isFault(whole) || whole === 0) return full
    this.#left = { width_px, height_px, truncated: true }
    return this.finishAgain()
  }

  async #drop(): Promise<Fault> {
    await this.#imu.end()
    await this.#store.attempt(this.#store.remove(this.name))
    return ABANDONED
  }
}

/** How an item became whole. */
interface Ending {
  readonly facts: MediaFacts
  readonly flaw: MediaFlaw | null
  /** Of the client that ordered it. */
  readonly request?: RequestMark | undefined
  /** By how much the clock was set since it began, ms, as far as that is known. */
  readonly setByMs?: number
}

/** A first picture was taken no further from the order than this: rewinds are of minutes, and so are slow disks. */
const MAX_FROM_ORDER_MS = 3_600_000

/**
 * When the first picture was taken. notedMs: as the side-car says, by the clock as it stood when that was written; that
 * may have been before the clock was set, or after it. The order is put right with the clock, also before a crash.
 */
const takenAtMs = ({ captured_at_ms }: MediaItem, notedMs: number, setByMs: number): number => {
  const isLikely = (ms: number) => captured_at_ms === null || Math.abs(ms - captured_at_ms) <= MAX_FROM_ORDER_MS
  const found = [notedMs + setByMs, notedMs].find(isLikely) ?? captured_at_ms ?? notedMs
  return Math.max(0, found)
}

/**
 * Has an item on the disk and in its place. The row says so first: what it needs is on the disk by then, and if the
 * power goes before the files are in their places, they are put there at the next start.
 */
export const finished = async (
  store: Pick<StoreInternals, 'folder' | 'keep'>,
  item: MediaItem,
  { facts, flaw, request, setByMs = 0 }: Ending,
): Promise<MediaItem | Fault> => {
  const { name } = item
  const { folder } = store
  const size_bytes = await folder.settle(name, 'content')
  if (size_bytes === undefined) return { code: 'storage.failed', detail: `the file of ${name} is gone` }
  const resultBytes = await folder.settle(name, 'results')
  const since =
    item.kind === 'recording' && resultBytes ? await recordedSince(folder.coming(name, 'results')) : undefined
  const results = resultBytes === undefined ? null : { media_type: RESULTS_MEDIA_TYPE, size_bytes: resultBytes }
  const imuBytes = await folder.settle(name, 'imu')
  if (imuBytes === 0) await folder.discard(folder.coming(name, 'imu')) // nothing was left of it
  const imu = imuBytes ? { media_type: RESULTS_MEDIA_TYPE, size_bytes: imuBytes } : item.side_cars.imu
  const ready: MediaItem = {
    ...item,
    revision: item.revision + 1,
    state: 'ready',
    size_bytes,
    etag: newEtag(),
    flaw,
    width_px: facts.width_px ?? null,
    height_px: facts.height_px ?? null,
    duration_ms: facts.duration_ms ?? null,
    frames: facts.frames ?? null,
    ...(facts.model && { model: facts.model }),
    captured_at_ms: since === undefined ? item.captured_at_ms : takenAtMs(item, since, setByMs),
    side_cars: { ...item.side_cars, results, imu },
  }
  const refused = await store.keep(ready, request, async () => {
    for (const part of ['results', 'imu', 'content'] as const) await folder.place(name, part)
  })
  if (refused) return refused
  await folder.settleNames()
  return ready
}

/** An entity tag that no other content has. */
export const newEtag = (): string => `"${randomUUID().slice(0, 18)}"`
