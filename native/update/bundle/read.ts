// Reads a bundle from its beginning to its end, and believes nothing of it before its signature held. Nothing is
// written here: whoever takes the files writes them.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract as extractTar, type Header } from 'tar-stream'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import {
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
  MAX_SIGNATURES_BYTES,
  MAX_UNSIGNED_TAR_BYTES,
  maxTarBytes,
  SIGNATURES_NAME,
} from '../../../machines/update/bundle-rules.ts'
import type { ReleaseFile, ReleaseManifest } from '../../../machines/update/release.ts'
import type { BundleFile, OnProgress } from '../port.ts'
import { BUNDLE_BEGINNING, CLOSING_BYTES, closingOf, decompressor } from './format.ts'
import { DAMAGED, NO_BUNDLE, refused } from './refusals.ts'

const PIECE_BYTES = 256 * 1024
const MODE = 0o644
const PROGRAM_MODE = 0o755

/** How a bundle is read. */
export interface Reading {
  readonly path: string
  /** Judges what stands first in a bundle, as bytes; throws a Fault where it is not to be believed. */
  readonly accept: (manifest: Buffer, signatures: Buffer) => ReleaseManifest
  /** Of the bytes of the bundle. */
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/**
 * All files of a bundle in order, each to be read whole before the next is asked for. Throws a Fault: `update.refused`,
 * or `device.failed` when the disk cannot be read. Whoever stops early leaves nothing open.
 */
export const readBundle = async function* (reading: Reading): AsyncGenerator<BundleFile, void> {
  await using file = await openBundle(reading.path)
  const stop = new AbortController()
  const signal = reading.signal ? AbortSignal.any([reading.signal, stop.signal]) : stop.signal
  const room = { left: MAX_UNSIGNED_TAR_BYTES }
  const [frame, entries] = [decompressor(), extractTar()]
  const fed = pipeline(pieces(file, reading.onProgress), frame, within(room), entries, { signal })
  fed.catch(() => {}) // what reads the entries meets the same
  const come = entries[Symbol.asyncIterator]()
  try {
    const bytes = await wholeEntry(await come.next(), MANIFEST_NAME, MAX_MANIFEST_BYTES)
    const signatures = await wholeEntry(await come.next(), SIGNATURES_NAME, MAX_SIGNATURES_BYTES)
    const manifest = reading.accept(bytes, signatures)
    room.left += maxTarBytes(manifest) - MAX_UNSIGNED_TAR_BYTES
    for (const expected of manifest.files) yield* oneFile(file, await come.next(), expected)
    const surplus = await come.next()
    if (!surplus.done) throw refused(`it holds ${nameOf(surplus.value)}, which its manifest does not name`)
    await fed
    if (frame.bytesWritten !== endOf(file)) throw refused('it goes on behind the end of its archive')
  } catch (error) {
    throw await faultIn(error, file)
  } finally {
    stop.abort()
    await fed.catch(() => {})
  }
}

/** A file that may be read from several places at once. */
interface BundleOnDisk extends AsyncDisposable {
  readonly path: string
  readonly size: number
  readonly handle: FileHandle
}

const openBundle = async (path: string): Promise<BundleOnDisk> => {
  const handle = await open(path).catch((error: Error) => Promise.reject(unreadable(path, error)))
  const { size } = await handle.stat()
  return { path, size, handle, [Symbol.asyncDispose]: () => handle.close() }
}

const readAt = async ({ path, handle }: BundleOnDisk, from: number, bytes: number): Promise<Buffer> => {
  const into = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await handle
    .read(into, 0, bytes, from)
    .catch((error: Error) => Promise.reject(unreadable(path, error)))
  return into.subarray(0, bytesRead)
}

/** Where the closing frame begins. */
const endOf = ({ size }: BundleOnDisk): number => Math.max(0, size - CLOSING_BYTES)

/** All bytes before the closing frame, which has to be the right one. */
const pieces = async function* (file: BundleOnDisk, onProgress: OnProgress = () => {}) {
  const beginning = await readAt(file, 0, BUNDLE_BEGINNING.length)
  if (!beginning.equals(BUNDLE_BEGINNING)) throw NO_BUNDLE
  const hash = createHash('sha256')
  const end = endOf(file)
  for (let at = 0; at < end; ) {
    const piece = await readAt(file, at, Math.min(PIECE_BYTES, end - at))
    if (piece.length === 0) throw DAMAGED // it became shorter
    at += piece.length
    hash.update(piece)
    yield piece
    onProgress(at, file.size)
  }
  const closing = await readAt(file, end, CLOSING_BYTES)
  if (!closing.equals(closingOf(hash.digest()))) throw DAMAGED
  onProgress(file.size, file.size)
}

const isDamaged = async (file: BundleOnDisk): Promise<boolean> => {
  try {
    for await (const _ of pieces(file));
    return false
  } catch (error) {
    return error === DAMAGED
  }
}

/** Lets so many bytes through. What unpacks to more is a bomb, or carries what its manifest does not name. */
const within = (room: { left: number }) =>
  async function* (content: AsyncIterable<Buffer>) {
    for await (const piece of content) {
      room.left -= piece.length
      if (room.left < 0) throw refused('it unpacks to more than its manifest says')
      yield piece
    }
  }

type Entry = AsyncIterable<unknown> & { readonly header: Header }
type Came = IteratorResult<Entry, unknown>

const nameOf = ({ header: { name, type } }: Entry): string => `the ${type} ${JSON.stringify(name)}`

const entryOf = (came: Came, name: string): Entry => {
  if (came.done) throw refused(`it ends where the file ${name} has to come`)
  const { header } = came.value
  if (header.name !== name || header.type !== 'file')
    throw refused(`it holds ${nameOf(came.value)} where the file ${name} has to come`)
  return came.value
}

const wholeEntry = async (came: Came, name: string, maxBytes: number): Promise<Buffer> => {
  const entry = entryOf(came, name)
  if (entry.header.size > maxBytes) throw refused(`its ${name} has more than ${maxBytes} bytes`)
  const parts: Buffer[] = []
  for await (const part of entry as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

const oneFile = async function* (
  file: BundleOnDisk,
  came: Came,
  expected: ReleaseFile,
): AsyncGenerator<BundleFile, void> {
  const { path, bytes, executable } = expected
  const entry = entryOf(came, path)
  const { size, mode } = entry.header
  if (size !== bytes) throw refused(`${path} has ${size} bytes in it, and ${bytes} in its manifest`)
  if (mode !== (executable ? PROGRAM_MODE : MODE))
    throw refused(`${path} has the rights ${mode.toString(8)} in it, and others in its manifest`)
  const content = Readable.from(checked(file, entry, expected), { objectMode: false, highWaterMark: PIECE_BYTES })
  yield { path, bytes, executable, content }
  if (!content.readableEnded) throw new TypeError(`${path} was not read whole before the next file was asked for`)
}

const checked = async function* (file: BundleOnDisk, entry: Entry, { path, sha256 }: ReleaseFile) {
  const hash = createHash('sha256')
  try {
    for await (const piece of entry as AsyncIterable<Buffer>) {
      hash.update(piece)
      yield piece
    }
    if (hash.digest('hex') !== sha256) throw refused(`the content of ${path} is not what its manifest says`)
  } catch (error) {
    throw await faultIn(error, file)
  }
}

const unreadable = (path: string, { message }: Error): Fault => ({
  code: 'device.failed',
  detail: `the bundle in ${path} cannot be read: ${message}`,
})

/** Damage comes first: it makes anything of a bundle. */
const faultIn = async (error: unknown, file: BundleOnDisk): Promise<unknown> => {
  if (isFault(error) ? error.code !== 'update.refused' || error === NO_BUNDLE : !isOfReaders(error)) return error
  if (await isDamaged(file)) return DAMAGED
  return isFault(error) ? error : refused(`what is in it cannot be read: ${(error as Error).message}`)
}

/** Of zstd or tar, which throw plain errors; others are bugs, or the end that its caller wanted. */
const isOfReaders = (error: unknown): boolean =>
  error instanceof Error &&
  (error.constructor === Error || /^(ZSTD_|Z_|ERR_ZSTD)/.test(String((error as NodeJS.ErrnoException).code)))
