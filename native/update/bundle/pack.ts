// Makes bundles of releases: the same release, keys and level give the same bytes.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack as packTar } from 'tar-stream'
import { firstError, schemaErrors } from '../../../machines/schema/errors.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { MANIFEST_NAME, manifestFlaw, SIGNATURES_NAME } from '../../../machines/update/bundle-rules.ts'
import { type ReleaseFile, ReleaseManifest } from '../../../machines/update/release.ts'
import { closingOf, compressed } from './format.ts'
import { CannotBundle, type SigningKey, signaturesOf } from './sign.ts'

/** How a bundle is made. */
export interface PackOptions {
  /** Of zstd, 1 to 22: 19 unless a test is in a hurry. */
  readonly level?: number
}

const DEFAULT_LEVEL = 19
const PROGRAM = 0o755
const FILE = 0o644
const BEGINNING = new Date(0)

/**
 * Packs and signs a release, whose folder holds its release.json. The bundle is there whole or not at all. Throws
 * CannotBundle when the folder is not what its manifest says.
 */
export const packBundle = async (
  folder: string,
  keys: readonly SigningKey[],
  out: string,
  { level = DEFAULT_LEVEL }: PackOptions = {},
): Promise<ReleaseManifest> => {
  if (keys.length === 0) throw new CannotBundle('a bundle without a signature is refused by every device; name a key')
  const bytes = readFileSync(join(folder, MANIFEST_NAME))
  const manifest = readManifest(bytes)
  const signatures = Buffer.from(`${JSON.stringify(signaturesOf(bytes, keys), null, 2)}\n`)
  const part = `${out}.part`
  const tar = packTar()
  const frame = compressed(level)(tar as AsyncIterable<Buffer>)
  const written = pipeline(frame, withClosing, createWriteStream(part, { flush: true }))
  try {
    await Promise.all([fill(tar, folder, { bytes, manifest, signatures }), written])
    await rename(part, out)
  } catch (error) {
    tar.destroy()
    await Promise.allSettled([written])
    await rm(part, { force: true })
    throw error
  }
  await using names = await open(dirname(out), 'r')
  await names.sync()
  return manifest
}

/** Describes what lies in a folder, by name, but for its manifest. */
export const listReleaseFiles = async (folder: string): Promise<readonly ReleaseFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory())
  if (odd) throw new CannotBundle(`${join(odd.parentPath, odd.name)} is neither a file nor a folder`)
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.replace(/\/+$/, '').length + 1))
    .filter((path) => path !== MANIFEST_NAME)
    .sort((a, b) => (a < b ? -1 : 1))
  const files: ReleaseFile[] = []
  for (const path of paths) {
    const { mode } = await stat(join(folder, path))
    const { bytes, sha256 } = await contentOf(join(folder, path))
    files.push({ path, bytes, sha256, executable: (mode & 0o100) !== 0 })
  }
  return files
}

const contentOf = async (path: string): Promise<Pick<ReleaseFile, 'bytes' | 'sha256'>> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

const readManifest = (bytes: Buffer): ReleaseManifest => {
  const manifest = JSON.parse(bytes.toString()) as ReleaseManifest
  const errors = schemaErrors(ReleaseManifest, manifest)
  if (errors.length > 0) throw new CannotBundle(firstError(errors, MANIFEST_NAME))
  const flaw = manifestFlaw(manifest)
  if (flaw) throw new CannotBundle(`${MANIFEST_NAME} cannot be packed: ${flaw}`)
  return manifest
}

/** What goes into an archive beside the files. */
interface Contents {
  readonly bytes: Buffer
  readonly manifest: ReleaseManifest
  readonly signatures: Buffer
}

const fill = async (tar: Pack, folder: string, { bytes, manifest, signatures }: Contents): Promise<void> => {
  await put(tar, MANIFEST_NAME, bytes)
  await put(tar, SIGNATURES_NAME, signatures)
  for (const file of manifest.files) await putFile(tar, join(folder, file.path), file)
  tar.finalize()
}

const put = (tar: Pack, name: string, content: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    tar.entry({ name, mode: FILE, mtime: BEGINNING }, content, (error) => (error ? reject(error) : resolve()))
  })

const putFile = async (tar: Pack, path: string, { path: name, bytes, sha256, executable }: ReleaseFile) => {
  const found = await stat(path)
  const differs = new CannotBundle(
    oneLine`
      ${path} is not what ${MANIFEST_NAME} says of it; make the release again (npm run package)
    `,
  )
  if (found.size !== bytes || ((found.mode & 0o100) !== 0) !== executable) throw differs
  const hash = createHash('sha256')
  await new Promise<void>((resolve, reject) => {
    const header = { name, size: bytes, mode: executable ? PROGRAM : FILE, mtime: BEGINNING }
    const entry = tar.entry(header, (error) => (error ? reject(error) : resolve()))
    const hashed = async function* (content: AsyncIterable<Buffer>) {
      for await (const piece of content) {
        hash.update(piece)
        yield piece
      }
    }
    pipeline(createReadStream(path), hashed, entry).catch(reject)
  })
  if (hash.digest('hex') !== sha256) throw differs
}

/** Adds the closing frame to what passes through. */
const withClosing = async function* (content: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
  yield closingOf(hash.digest())
}
