// The one place on a device for a bundle that is uploaded: a file that grows, and a note beside it that says what of
// the file is on the disk. A kill or a power cut loses what came since the last note, and nothing else: whoever goes on
// is told where.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { megabytes } from '../../machines/schema/megabytes.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { MAX_BUNDLE_BYTES } from '../../machines/update/bundle-rules.ts'
import { noUpload } from '../../machines/update/upload.ts'
import { UploadNote } from '../../machines/update/upload-note.ts'
import { isFullForFile, syncSoon, writeFileWholeSoon } from '../files/atomic.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import { Arrival, defaultPatience } from '../media/arrival.ts'
import type { Patience } from '../media/store-internals.ts'
import { CannotBundle } from './bundle/sign.ts'
import { Tally } from './bundle/tally.ts'
import type { Judging } from './bundle/verify.ts'
import { realDisk } from './disk.ts'
import type { Announced, BundleStore, KeptUpload, OnProgress, VerifiedBundle } from './port.ts'

/** What a store is made of. */
export interface BundleStoreParts {
  /** Its own; made when it is needed. */
  readonly folder: string
  /** By what bundles are judged; asked for at each check. Throws CannotBundle when the device cannot say. */
  readonly judging: () => Promise<Judging>
  /** Of one bundle. */
  readonly maxBytes?: number
  /** What must stay free for everything else on the disk. */
  readonly minFreeBytes?: number
  /** How much may come until it is noted down as being on the disk. */
  readonly noteEveryBytes?: number
  /** How slowly it may come. */
  readonly patience?: Pick<Patience, 'windowMs' | 'minBytes' | 'totalMs'>
}

const MiB = 1024 * 1024
const DEFAULT_MIN_FREE_BYTES = 64 * MiB // settings, and what else must be written while an update is under way
const DEFAULT_NOTE_EVERY_BYTES = 16 * MiB // what a kill makes a client send again, at most; a sync for each
const READ_BYTES = 256 * 1024
const WRITE_BYTES = 256 * 1024 // networks bring some kilobytes at a time, and each call of the disk has its price
const ONLY_OWNER = 0o600

/** The store on a disk. */
export const fileBundleStore = (parts: BundleStoreParts): BundleStore => {
  const store = new FileBundleStore(parts)
  const attempt = <Value>(work: (signal: AbortSignal) => Promise<Value>): Effect.Effect<Value, Fault> =>
    Effect.tryPromise({ try: work, catch: (error) => storeFault(parts.folder, error) })
  return {
    kept: attempt(() => store.kept()),
    begin: (announced) => attempt(() => store.begin(announced)),
    append: (id, offset, body, onProgress) => attempt(() => store.append(id, offset, body, onProgress)),
    endAppending: Effect.promise(() => store.endAppending(TAKEN_OVER)),
    complete: (id) => attempt(() => store.complete(id)),
    verify: (onProgress) => attempt((signal) => store.verify(onProgress, signal)),
    clear: attempt(() => store.clear()),
  }
}

/** An upload of this run. */
interface Upload {
  note: UploadNote
  /** Of all bytes that were written; undefined: they have to be read for it. */
  tally: Tally | undefined
}

/** Bytes that arrive. */
interface Appending {
  readonly end: (fault: Fault) => void
  readonly ended: Promise<unknown>
}

class FileBundleStore {
  readonly #parts: Required<BundleStoreParts>
  readonly #turns = new SerialQueue()
  #upload: Upload | undefined
  #appending: Appending | undefined

  constructor(parts: BundleStoreParts) {
    this.#parts = {
      maxBytes: MAX_BUNDLE_BYTES,
      minFreeBytes: DEFAULT_MIN_FREE_BYTES,
      noteEveryBytes: DEFAULT_NOTE_EVERY_BYTES,
      patience: defaultPatience,
      ...parts,
    }
  }

  kept(): Promise<KeptUpload | null> {
    return this.#turns.inTurn(async () => {
      const upload = await this.#found()
      return upload ? keptOf(upload) : null
    })
  }

  begin(announced: Announced): Promise<KeptUpload> {
    return this.#turns.inTurn(async () => {
      if (this.#appending) throw BUSY
      this.#limit(announced.bytes ?? 0)
      await mkdir(this.#parts.folder, { recursive: true })
      await this.#needRoom(announced.bytes ?? announced.upTo ?? 0, await sizeOf(this.#path))
      await this.#remove()
      await (await open(this.#path, 'wx', ONLY_OWNER)).close()
      const { bytes, resumable } = announced
      const note: UploadNote = { format: 1, id: randomUUID(), bytes, resumable, on_disk: 0, is_complete: false }
      await this.#keep(note) // it syncs the folder as well
      this.#upload = { note, tally: new Tally() }
      return keptOf(this.#upload)
    })
  }

  async append(id: string, offset: number, body: Readable, onProgress: OnProgress): Promise<number> {
    if (this.#appending) throw BUSY
    const stop = new AbortController()
    const work = this.#append(id, offset, body, onProgress, stop.signal)
    this.#appending = { end: (fault) => stop.abort(fault), ended: work.catch(() => {}) }
    try {
      return await work
    } finally {
      this.#appending = undefined
    }
  }

  complete(id: string): Promise<void> {
    return this.#turns.inTurn(async () => {
      const upload = await this.#theUpload(id)
      const { note } = upload
      if (note.is_complete) return
      const tally = await this.#tallied(upload)
      if (note.bytes !== null && tally.bytes < note.bytes) throw notWhole(tally.bytes, note.bytes)
      const flaw = tally.flaw()
      if (flaw) {
        await this.#remove() // more of it would not mend it
        throw flaw
      }
      await using file = await open(this.#path, 'r+')
      await file.sync()
      await this.#note(upload, { on_disk: tally.bytes, bytes: tally.bytes, is_complete: true })
    })
  }

  async verify(onProgress: OnProgress, signal: AbortSignal): Promise<VerifiedBundle> {
    const upload = await this.#turns.inTurn(() => this.#found())
    if (!upload?.note.is_complete) throw noUpload
    const { verifyBundle } = await import('./bundle/verify.ts') // loaded only then
    return verifyBundle(this.#path, await this.#parts.judging(), { onProgress, signal })
  }

  async endAppending(why: Fault): Promise<void> {
    this.#appending?.end(why)
    await this.#appending?.ended
  }

  async clear(): Promise<void> {
    await this.endAppending(CANCELLED)
    await this.#turns.inTurn(async () => {
      await mkdir(this.#parts.folder, { recursive: true })
      await this.#remove()
    })
  }

  get #path(): string {
    return join(this.#parts.folder, 'upload.vedette')
  }

  get #notePath(): string {
    return join(this.#parts.folder, 'upload.json')
  }

  async #append(
    id: string,
    offset: number,
    body: Readable,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<number> {
    const { maxBytes, patience } = this.#parts
    const arrival = new Arrival({ body, length: undefined }, { ...patience, maxBytes: Number.POSITIVE_INFINITY })
    try {
      const upload = await this.#turns.inTurn(() => this.#theUpload(id))
      const { bytes } = upload.note
      if (upload.note.is_complete) throw otherOffset(upload.note.on_disk)
      const tally = await this.#tallied(upload)
      if (tally.bytes !== offset) throw otherOffset(tally.bytes)
      arrival.holdTo(Math.min(maxBytes, bytes ?? maxBytes) - offset)
      await using file = await open(this.#path, constants.O_RDWR | constants.O_NOFOLLOW)
      await file.truncate(offset)
      await this.#take(upload, tally, { file, arrival, signal, onProgress })
      return tally.bytes
    } finally {
      arrival.close()
    }
  }

  /** Writes what comes until it ends; what is written by then is noted down, whatever the end is. */
  async #take(upload: Upload, tally: Tally, { file, arrival, signal, onProgress }: Taking): Promise<void> {
    const { noteEveryBytes } = this.#parts
    let pieces: Buffer[] = []
    let gathered = 0
    const write = async () => {
      const now = pieces
      pieces = []
      gathered = 0
      if (now.length > 0) await this.#write(upload, tally, file, now)
    }
    try {
      for (;;) {
        const piece = await orAborted(arrival.next(), signal)
        if (isFault(piece)) throw piece
        if (!piece) break
        pieces.push(piece)
        gathered += piece.length
        if (tally.bytes >= WRITE_BYTES && gathered < WRITE_BYTES) continue // the first ones tell whether it is a bundle
        await write()
        const flaw = tally.beginningFlaw()
        if (flaw) throw flaw
        onProgress(tally.bytes, upload.note.bytes)
        if (tally.bytes - upload.note.on_disk >= noteEveryBytes) {
          await this.#settle(upload, tally, file)
          await this.#needRoom(0, 0)
        }
      }
    } finally {
      if (!signal.aborted) {
        await write()
        await this.#settle(upload, tally, file)
      }
    }
  }

  /** The sum is made while the disk works. */
  async #write(upload: Upload, tally: Tally, file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
    const written = writeAll(file, pieces, tally.bytes)
    written.catch(() => {})
    for (const piece of pieces) tally.add(piece)
    try {
      await written
    } catch (error) {
      upload.tally = undefined // it has what the file has not
      throw error
    }
    pieces.forEach(freeNow)
  }

  async #settle(upload: Upload, tally: Tally, file: FileHandle): Promise<void> {
    if (upload.tally !== tally || tally.bytes === upload.note.on_disk) return
    await file.datasync()
    await this.#note(upload, { on_disk: tally.bytes })
  }

  async #note(upload: Upload, change: Partial<UploadNote>): Promise<void> {
    const note = { ...upload.note, ...change }
    await this.#keep(note)
    upload.note = note
  }

  #keep(note: UploadNote): Promise<void> {
    return writeFileWholeSoon(this.#notePath, JSON.stringify(note), { mode: ONLY_OWNER })
  }

  /** The upload of this run, or of the previous one. */
  async #found(): Promise<Upload | undefined> {
    if (this.#upload) return this.#upload
    const note = await readNote(this.#notePath)
    if (!note || (await sizeOf(this.#path)) < note.on_disk) return undefined
    this.#upload = { note, tally: undefined }
    return this.#upload
  }

  async #theUpload(id: string): Promise<Upload> {
    const upload = await this.#found()
    if (upload?.note.id !== id) throw noUpload
    return upload
  }

  /** The sum of what is there, read where this run has not written it. */
  async #tallied(upload: Upload): Promise<Tally> {
    if (upload.tally) return upload.tally
    const tally = new Tally()
    await using file = await open(this.#path, 'r')
    const { on_disk } = upload.note
    while (tally.bytes < on_disk) {
      const into = Buffer.allocUnsafe(Math.min(READ_BYTES, on_disk - tally.bytes))
      const { bytesRead } = await file.read(into, 0, into.length, tally.bytes)
      if (bytesRead === 0) throw new Error(`${this.#path} became shorter`)
      tally.add(into.subarray(0, bytesRead))
    }
    upload.tally = tally
    return tally
  }

  /** The note goes first: a file without one is nothing. */
  async #remove(): Promise<void> {
    this.#upload = undefined
    await rm(this.#notePath, { force: true })
    await rm(this.#path, { force: true })
    await syncSoon(this.#parts.folder)
  }

  #limit(bytes: number): void {
    const { maxBytes } = this.#parts
    if (bytes > maxBytes)
      throw {
        code: 'body.too_large',
        detail: `a bundle may have ${maxBytes} bytes at most, and this one has ${bytes}`,
      } satisfies Fault
  }

  /** bytes: that are to come; freed: that go before. */
  async #needRoom(bytes: number, freed: number): Promise<void> {
    const { folder, minFreeBytes } = this.#parts
    const free = (await realDisk.free(folder)) + freed
    if (free < bytes + minFreeBytes) throw noRoom(folder, { free, bytes, minFreeBytes })
  }
}

/** How bytes are taken. */
interface Taking {
  readonly file: FileHandle
  readonly arrival: Arrival
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

const keptOf = ({ note, tally }: Upload): KeptUpload => ({
  id: note.id,
  bytes: note.bytes,
  resumable: note.resumable,
  offset: tally?.bytes ?? note.on_disk,
})

const readNote = async (path: string): Promise<UploadNote | undefined> => {
  try {
    const note: unknown = JSON.parse(await readFile(path, 'utf8'))
    return schemaErrors(UploadNote, note).length === 0 ? (note as UploadNote) : undefined
  } catch {
    return undefined // none, or torn: nothing is kept
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

const writeAll = async (file: FileHandle, pieces: readonly Buffer[], at: number): Promise<void> => {
  const { bytesWritten } = await file.writev(pieces, at)
  if (bytesWritten === pieces.reduce((sum, { length }) => sum + length, 0)) return
  await writeAll(file, [Buffer.concat(pieces).subarray(bytesWritten)], at + bytesWritten)
}

/**
 * Gives back the memory of a piece that nobody reads any more. Else a collection of garbage does, which an upload has
 * run again and again: two thirds of all that it computes.
 */
const freeNow = ({ buffer, byteLength }: Buffer): void => {
  const isItsOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength // and none that many share
  if (isItsOwn && !buffer.detached) buffer.transfer(0)
}

/** Whichever comes first; the reason of the abortion is a Fault. */
const orAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

const BUSY: Fault = {
  code: 'update.busy',
  detail: 'a bundle is being uploaded; wait until it has arrived, or cancel it',
}

const CANCELLED: Fault = { code: 'update.cancelled', detail: 'the upload was cancelled; upload the bundle again' }

const TAKEN_OVER: Fault = { code: 'update.taken_over', detail: 'another request goes on with this upload' }

const otherOffset = (offset: number): Fault => ({
  code: 'update.other_offset',
  detail: `${offset} bytes of this upload are here; go on from there`,
  context: { offset },
})

const notWhole = (bytes: number, of: number): Fault => ({
  code: 'update.other_offset',
  detail: `${bytes} of ${of} bytes are here; send the others first`,
  context: { offset: bytes },
})

const noRoom = (folder: string, room: { free: number; bytes: number; minFreeBytes: number }): Fault => ({
  code: 'storage.full',
  detail: oneLine`
    there is no room for the bundle in ${folder}: ${megabytes(room.free)} are free, and it needs
    ${megabytes(room.bytes)} with ${megabytes(room.minFreeBytes)} left for everything else; delete some media items
    (DELETE /v1/media/{name}), or free some space
  `,
  resource: 'update',
})

/** The fault for what was thrown. Throws again what is none: a bug. */
const storeFault = (folder: string, error: unknown): Fault => {
  if (isFault(error) && !(error instanceof Error)) return error
  if (error instanceof CannotBundle) return { code: 'device.failed', detail: error.message }
  const { syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) throw error
  if (!isFullForFile(error))
    return { code: 'device.failed', detail: `the upload in ${folder} cannot be kept: ${message}` }
  return {
    code: 'storage.full',
    detail: oneLine`
      the disk with ${folder} became full before the bundle was here whole; delete some media items (DELETE
      /v1/media/{name}), or free some space
    `,
    resource: 'update',
  }
}
