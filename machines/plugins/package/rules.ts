// What the archive of a package may be. The reader of zips finds its entries; whether they are believed is decided
// here, of their headers alone, before a byte of their content is read.
import { megabytes } from '../../schema/megabytes.ts'
import { quote } from '../../schema/quote.ts'
import { namesFlaw } from '../../update/archive-names.ts'

const MiB = 1024 * 1024

/** The file at the top of a package that says what it is. */
export const MANIFEST_NAME = 'vedette-plugin.json'

/** Of a package: ten times what a plugin with a model of its own has. */
export const MAX_PACKAGE_BYTES = 64 * MiB
/** Of all its files unpacked. */
export const MAX_UNPACKED_BYTES = 256 * MiB
export const MAX_FILES = 2_000
/** 16 nodes with 16 parameters each take a tenth of it. */
export const MAX_MANIFEST_BYTES = 128 * 1024
/** How many times larger than in the archive files may be. Sources shrink to a fifth, tables to a fiftieth. */
export const MAX_RATIO = 200
/** What is smaller than this is no bomb, however small it is in the archive. */
const RATIO_COUNTS_FROM_BYTES = MiB

/** Of a zip, as its specification numbers them. */
const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAGS = 0x2041 // its content, its content in a strong way, its headers
const SIZES_BEHIND_FLAG = 0x8
const PATCHED_FLAG = 0x20
const LARGE = 0xffffffff // the true number stands elsewhere: of archives of more than 4 GB
/** What may stand behind an entry when its sizes were not known before. */
const MAX_DESCRIPTOR_BYTES = 24
const UNIX = 3
const FILE_KIND = 0o170000
const KIND_FILE = 0o100000
const KIND_FOLDER = 0o040000
const KIND_LINK = 0o120000
const ANY_MAY_RUN = 0o111

/** What a header in a zip says of a file. Names as bytes, each a character. */
export interface ZipHeader {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc32: number
  readonly packedBytes: number
  readonly bytes: number
}

/** What the directory at the end of a zip says of a file. */
export interface DirectoryEntry extends ZipHeader {
  /** Of the system that packed it, and its rights there; of the specification's numbers. */
  readonly madeBy: number
  readonly attributes: number
  /** Where its own header begins. */
  readonly offset: number
  /** Whether another name of it stands in an extra field. */
  readonly hasOtherName: boolean
}

/** The header before the content of a file. */
export interface LocalHeader extends ZipHeader {
  /** Where its content begins. */
  readonly contentOffset: number
}

/** A file that can be unpacked. */
export interface PackageFile {
  readonly path: string
  readonly bytes: number
  readonly crc32: number
  readonly isExecutable: boolean
}

/** Whether an entry is a folder: those need not be written, since files bring theirs. */
export const isFolderEntry = ({ name }: Pick<ZipHeader, 'name'>): boolean => name.endsWith('/')

/** What file managers put into each zip that they make, which is nobody's. */
const isOfFileManager = (name: string): boolean =>
  name.startsWith('__MACOSX/') || ['.DS_Store', 'Thumbs.db', 'desktop.ini'].includes(name.split('/').at(-1) ?? '')

/** A file in an archive: under which name it is written, and its entry. */
interface WantedEntry<Entry> {
  readonly path: string
  readonly entry: Entry
}

/**
 * What is written of an archive, folders as well: without what file managers put in, and without the one folder in
 * which they put all of it.
 */
export const wantedEntries = <Entry extends Pick<ZipHeader, 'name'>>(
  entries: readonly Entry[],
): readonly WantedEntry<Entry>[] => {
  const wanted = entries.filter(({ name }) => !isOfFileManager(name))
  const [first] = wanted
  const top = first?.name.includes('/') ? `${first.name.split('/', 1)[0]}/` : ''
  const isInOne =
    top !== '' &&
    wanted.every(({ name }) => name.startsWith(top)) &&
    wanted.some(({ name }) => name === `${top}${MANIFEST_NAME}`)
  return wanted
    .map((entry) => ({ entry, path: isInOne ? entry.name.slice(top.length) : entry.name }))
    .filter(({ path }) => !isInOne || path !== '')
}

/** The file that an entry is, under that path. */
export const fileOf = (path: string, { bytes, crc32, madeBy, attributes }: DirectoryEntry): PackageFile => ({
  path,
  bytes,
  crc32,
  isExecutable: madeBy >> 8 === UNIX && ((attributes >>> 16) & ANY_MAY_RUN) !== 0,
})

/** What is wrong with how many entries an archive says it has, before any is read; undefined: nothing. */
export const countFlaw = (entries: number): string | undefined =>
  entries > MAX_FILES ? `it has ${entries} entries, and a package may have ${MAX_FILES}` : undefined

/** What is wrong with an entry of the directory, as a sentence; undefined: nothing. */
export const entryFlaw = (entry: DirectoryEntry): string | undefined => {
  const { name, flags, method, packedBytes, bytes, offset } = entry
  const file = quote(name)
  if (entry.hasOtherName) return `${file} has another name beside this one`
  if ((flags & ENCRYPTED_FLAGS) !== 0) return `${file} is encrypted`
  if ((flags & PATCHED_FLAG) !== 0 || (method !== STORED && method !== DEFLATED))
    return `${file} is packed in a way (${method}) that is not read here; pack it with deflate, or not at all`
  if ([packedBytes, bytes, offset].includes(LARGE)) return `${file} is of a zip for more than 4 GB (Zip64)`
  return kindFlaw(entry) ?? sizeFlaw(entry)
}

const kindFlaw = (entry: DirectoryEntry): string | undefined => {
  const kind = entry.madeBy >> 8 === UNIX ? (entry.attributes >>> 16) & FILE_KIND : 0
  const file = quote(entry.name)
  if (kind === KIND_LINK) return `${file} is a link; put the file itself in`
  if (![0, KIND_FILE, KIND_FOLDER].includes(kind)) return `${file} is no file and no folder`
  if (kind !== 0 && (kind === KIND_FOLDER) !== isFolderEntry(entry)) return `${file} is a file and a folder at once`
  return isFolderEntry(entry) && entry.bytes > 0 ? `the folder ${file} has content` : undefined
}

const sizeFlaw = ({ name, method, packedBytes, bytes }: DirectoryEntry): string | undefined => {
  if (method === STORED && packedBytes !== bytes) return `${quote(name)} has two sizes`
  return isBomb(bytes, packedBytes)
    ? `${quote(name)} unpacks to more than ${MAX_RATIO} times what it takes in the package`
    : undefined
}

const isBomb = (bytes: number, packedBytes: number): boolean =>
  bytes > RATIO_COUNTS_FROM_BYTES && bytes > MAX_RATIO * packedBytes

/** What is wrong with the two headers of one file together; undefined: nothing. */
export const headersFlaw = (entry: DirectoryEntry, local: LocalHeader): string | undefined => {
  const file = quote(entry.name)
  if (local.name !== entry.name) return `${file} has the name ${quote(local.name)} in its own header`
  const same: readonly (keyof ZipHeader)[] = ['flags', 'method']
  const known: readonly (keyof ZipHeader)[] = ['crc32', 'packedBytes', 'bytes']
  const isKnown = (entry.flags & SIZES_BEHIND_FLAG) === 0
  const differs = (key: keyof ZipHeader) => local[key] !== entry[key]
  // a writer that did not know them may have left nothing there, and nothing else
  const isOther = (key: keyof ZipHeader) => differs(key) && (isKnown || local[key] !== 0)
  return same.some(differs) || known.some(isOther)
    ? `the header of ${file} says something else than the directory at the end`
    : undefined
}

/** An archive whose headers were read. */
export interface ReadHeaders {
  readonly entries: readonly { readonly entry: DirectoryEntry; readonly local: LocalHeader }[]
  /** Where its directory begins. */
  readonly directoryOffset: number
}

/** What is wrong with all entries together, as a sentence; undefined: nothing. */
export const archiveFlaw = ({ entries, directoryOffset }: ReadHeaders): string | undefined => {
  const all = entries.map(({ entry }) => entry)
  const files = all.filter((entry) => !isFolderEntry(entry))
  const bytes = files.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes > MAX_UNPACKED_BYTES)
    return `it unpacks to ${megabytes(bytes)}, and a package may have ${megabytes(MAX_UNPACKED_BYTES)}`
  const packed = files.reduce((sum, entry) => sum + entry.packedBytes, 0)
  if (isBomb(bytes, packed)) return `it unpacks to more than ${MAX_RATIO} times its size`
  const wanted = wantedEntries(all).map(({ path }) => path)
  const folders = wanted.filter((name) => isFolderEntry({ name })).map((name) => name.slice(0, -1))
  const paths = wanted.filter((name) => !isFolderEntry({ name }))
  return namesFlaw({ files: paths, folders }) ?? placesFlaw({ entries, directoryOffset })
}

/** Each byte belongs to one file: none is in two, and none is hidden between them. */
const placesFlaw = ({ entries, directoryOffset }: ReadHeaders): string | undefined => {
  const places = entries
    .map(({ entry, local }) => ({
      name: entry.name,
      begin: entry.offset,
      end: local.contentOffset + entry.packedBytes,
      mayHaveMore: (entry.flags & SIZES_BEHIND_FLAG) !== 0,
    }))
    .toSorted((a, b) => a.begin - b.begin)
  const directory = { name: 'its directory', begin: directoryOffset, end: directoryOffset, mayHaveMore: false }
  let before = { end: 0, mayHaveMore: false }
  for (const place of [...places, directory]) {
    const between = place.begin - before.end
    if (between < 0) return `${quote(place.name)} lies over another file in it`
    if (between > (before.mayHaveMore ? MAX_DESCRIPTOR_BYTES : 0))
      return `it has bytes before ${quote(place.name)} that belong to no file`
    before = place
  }
  return undefined
}
