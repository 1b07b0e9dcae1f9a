// Reads a package: every header of it first, and nothing of its content before our rules have passed them all. What the
// reader of zips does not look at, they do.
import { constants, promises } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Entry, fromFdPromise, type LocalFileHeader, type ZipFile } from 'yauzl'
import { isFault } from '../../../machines/errors/fault.ts'
import type { PluginManifest } from '../../../machines/plugins/manifest.ts'
import { readManifest, refusedPackage } from '../../../machines/plugins/package/manifest-rules.ts'
import {
  archiveFlaw,
  countFlaw,
  type DirectoryEntry,
  entryFlaw,
  fileOf,
  headersFlaw,
  isFolderEntry,
  type LocalHeader,
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
  MAX_PACKAGE_BYTES,
  type PackageFile,
  wantedEntries,
} from '../../../machines/plugins/package/rules.ts'
import { megabytes } from '../../../machines/schema/megabytes.ts'
import { inSentence, quote } from '../../../machines/schema/quote.ts'

const BEGINNING = Buffer.from('PK\x03\x04')
const END_BYTES = 22
const END_MARK = Buffer.from('PK\x05\x06')
const OTHER_NAME_FIELD = 0x7075

/** A package that was read as far as its headers, and its manifest. */
export interface ReadPackage {
  readonly manifest: PluginManifest
  readonly files: readonly PackageFile[]
  /** The content of a file, checked by its sum at its end; one at a time. */
  readonly content: (file: PackageFile) => AsyncGenerator<Buffer, void>
}

/** Reads a package, and uses it while it is open. Throws a Fault: `plugin.refused`, or an error of the file system. */
export const withPackage = async <Value>(path: string, use: (found: ReadPackage) => Promise<Value>): Promise<Value> => {
  await using file = await promises.open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const { size } = await file.stat()
  if (size > MAX_PACKAGE_BYTES)
    throw refusedPackage(`it has ${megabytes(size)}, and a package may have ${megabytes(MAX_PACKAGE_BYTES)}`)
  const beginning = Buffer.alloc(BEGINNING.length)
  await file.read(beginning, 0, beginning.length, 0)
  if (!beginning.equals(BEGINNING)) throw refusedPackage('it is no zip file with something in it')
  // the handle stays ours: the reader is told not to close it
  const zip = await ofReader(fromFdPromise(file.fd, { autoClose: false, decodeStrings: false }))
  return await use(await readPackage(zip, size)) // the file stays open until then
}

const readPackage = async (zip: ZipFile, size: number): Promise<ReadPackage> => {
  const { entries, directoryOffset } = await readHeaders(zip, size)
  const whole = archiveFlaw({
    entries: entries.map(({ described, local }) => ({ entry: described, local })),
    directoryOffset,
  })
  if (whole) throw refusedPackage(whole)
  const wanted = wantedEntries(entries.map((each) => ({ ...each, name: each.described.name })))
  const byPath = new Map(wanted.map(({ path, entry }) => [path, entry.entry]))
  const files = wanted
    .filter(({ entry }) => !isFolderEntry(entry))
    .map(({ path, entry: { described } }) => fileOf(path, described))
  const content = (file: PackageFile) => contentOf(zip, byPath.get(file.path) as Entry, file)
  const manifest = readManifest(
    await manifestText(files, content),
    files.map(({ path }) => path),
  )
  if (isFault(manifest)) throw manifest
  return { manifest, files, content }
}

interface ReadEntry {
  readonly entry: Entry
  readonly described: DirectoryEntry
  readonly local: LocalHeader
}

const readHeaders = async (zip: ZipFile, size: number) => {
  const many = countFlaw(zip.entryCount)
  if (many) throw refusedPackage(many)
  // what the reader calls so is where it reads next
  const cursor = () => zip.readEntryCursor as unknown as number
  const directoryOffset = cursor()
  const entries: ReadEntry[] = []
  const directory = zip.eachEntry()
  for (;;) {
    const { done, value: entry } = await ofReader(directory.next())
    if (done) break
    entries.push(await readEntry(zip, entry))
  }
  const comment = zip.comment as unknown as Buffer
  if (comment.includes(END_MARK)) throw refusedPackage('it has two ends')
  if (cursor() !== size - END_BYTES - comment.length)
    throw refusedPackage('its directory does not reach to its end, or it is a zip for more than 4 GB (Zip64)')
  return { entries, directoryOffset }
}

const readEntry = async (zip: ZipFile, entry: Entry): Promise<ReadEntry> => {
  const described = describe(entry)
  const flaw = entryFlaw(described)
  if (flaw) throw refusedPackage(flaw)
  const header = (await ofReader(zip.readLocalFileHeaderPromise(entry, {}))) as LocalFileHeader
  const local: LocalHeader = {
    name: header.fileName.toString('latin1'),
    flags: header.generalPurposeBitFlag,
    method: header.compressionMethod,
    crc32: header.crc32,
    packedBytes: header.compressedSize,
    bytes: header.uncompressedSize,
    contentOffset: header.fileDataStart,
  }
  const differs = headersFlaw(described, local)
  if (differs) throw refusedPackage(differs)
  return { entry, described, local }
}

const describe = (entry: Entry): DirectoryEntry => ({
  name: entry.fileNameRaw.toString('latin1'),
  flags: entry.generalPurposeBitFlag,
  method: entry.compressionMethod,
  crc32: entry.crc32,
  packedBytes: entry.compressedSize,
  bytes: entry.uncompressedSize,
  madeBy: entry.versionMadeBy,
  attributes: entry.externalFileAttributes,
  offset: entry.relativeOffsetOfLocalHeader,
  hasOtherName: entry.extraFields.some(({ id }) => id === OTHER_NAME_FIELD),
})

const manifestText = async (files: readonly PackageFile[], content: ReadPackage['content']): Promise<string> => {
  const file = files.find(({ path }) => path === MANIFEST_NAME)
  if (!file)
    throw refusedPackage(`there is no ${MANIFEST_NAME} at its top; pack the content of the folder that it is in`)
  if (file.bytes > MAX_MANIFEST_BYTES)
    throw refusedPackage(`its ${MANIFEST_NAME} has more than ${MAX_MANIFEST_BYTES} bytes`)
  const pieces: Buffer[] = []
  for await (const piece of content(file)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

const contentOf = async function* (zip: ZipFile, entry: Entry, { path, crc32: expected }: PackageFile) {
  const stream = await ofReader(zip.openReadStreamPromise(entry))
  let sum = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw readerFault(error, `${quote(path)} cannot be unpacked`)
  }
  if (sum !== expected) throw refusedPackage(`the content of ${quote(path)} is not what its sum says`)
}

/** Errors of the reader are plain, and mean that the archive is wrong; those of the file system have a code. */
const ofReader = <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw readerFault(error, 'it cannot be read')
  })

const readerFault = (error: unknown, what: string): unknown => {
  if (!(error instanceof Error)) return error
  const code = String((error as NodeJS.ErrnoException).code ?? 'Z_')
  return /^(Z_|ERR_OUT_OF_RANGE)/.test(code) ? refusedPackage(`${what}: ${inSentence(error.message)}`) : error
}
