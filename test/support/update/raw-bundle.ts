// Archives as no packer makes them, in bundles whose signature holds: each block by hand.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { closingOf, compressed } from '../../../native/update/bundle/format.ts'
import { type SigningKey, signaturesOf } from '../../../native/update/bundle/sign.ts'
import { listedFile, manifestWith } from './manifest.ts'

const BLOCK = 512

/** One entry of an archive, with whatever its header is to say. */
export interface RawEntry {
  readonly name: string
  readonly content?: Buffer | string
  /** Of tar: `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a folder, `6` a pipe, `x` PAX. */
  readonly type?: string
  readonly mode?: number
  readonly target?: string
  /** As it stands in the header; default: the length of the content, octal. */
  readonly size?: Buffer | string
  /** Added to the right checksum. */
  readonly wrongBy?: number
}

/** The blocks of an entry. */
export const rawEntry = ({ name, content = '', type = '0', mode = 0o644, target = '', ...odd }: RawEntry): Buffer => {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100, 'latin1')
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write('0000000\x000000000\0', 108)
  const size = odd.size ?? `${bytes.length.toString(8).padStart(11, '0')} `
  Buffer.from(size).copy(header, 124)
  header.write('00000000000 ', 136)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(target, 157, 100)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0) + (odd.wrongBy ?? 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)])
}

/** A line of a PAX header: its length, which counts itself, a name and a value. */
export const paxLine = (name: string, value: string): string => {
  const rest = ` ${name}=${value}\n`
  const length = Buffer.byteLength(rest)
  return `${length + String(length + 2).length}${rest}`
}

/** The files of a release as entries. */
export const entriesOf = (manifest: ReleaseManifest, content: Readonly<Record<string, string | Buffer>>): RawEntry[] =>
  manifest.files.map(({ path, executable }) => ({
    name: path,
    mode: executable ? 0o755 : 0o644,
    content: content[path] ?? '',
  }))

/** What a release of such content says of itself. */
export const manifestOf = (content: Readonly<Record<string, string | Buffer>>): ReleaseManifest =>
  manifestWith({ files: Object.entries(content).map(([path, text]) => listedFile(path, text)) })

/** What begins an archive: a manifest, and signatures of it. */
export const signedBeginning = (manifest: unknown, keys: readonly SigningKey[]): Buffer => {
  const bytes = Buffer.from(JSON.stringify(manifest))
  const signatures = JSON.stringify(signaturesOf(bytes, keys))
  return Buffer.concat([
    rawEntry({ name: 'release.json', content: bytes }),
    rawEntry({ name: 'signatures.json', content: signatures }),
  ])
}

export const TAR_END = Buffer.alloc(2 * BLOCK)

/** A bundle with any archive in it, in as many parts as it is given. */
export const bundleOf = async (...tar: readonly Buffer[]): Promise<Buffer> => {
  return closed(Buffer.concat(await Readable.from(compressed(1)(Readable.from(tar))).toArray()))
}

/** Puts the right closing frame behind what may be no bundle. */
export const closed = (frame: Buffer): Buffer =>
  Buffer.concat([frame, closingOf(createHash('sha256').update(frame).digest())])
