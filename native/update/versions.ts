// The versions that lie side by side in the system folder: `versions/<name>/`, whole or not there. One that is being
// written is called `<name>.part`, and the next start removes it.
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { jsonIn } from '../../machines/schema/json.ts'
import { PACKAGED, versionName } from '../../machines/update/release.ts'
import type { WholeVersion } from '../../machines/update/slots.ts'
import type { KnownVersion } from '../../machines/update/update-state.ts'
import type { Disk } from './disk.ts'
import type { OnProgress, VerifiedBundle } from './port.ts'

const MANIFEST = 'release.json'
/** Written last: the SHA-256 of the manifest. */
const COMPLETE = 'complete'
const PART = '.part'
const PROGRAM = 0o755
const PLAIN = 0o644
const SYNCS_AT_A_TIME = 8

/** What is read of a manifest here; the rest is of whoever verifies bundles. */
export interface ReleaseHead {
  readonly version: string
  readonly built_at_ms: number | null
  readonly minimum_version: string | null
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

/** The folder of all versions. */
export const versionsFolder = (system: string): string => join(system, 'versions')

/** The folder of a version. packaged: where the packaged one lies. */
export const folderOf = (name: string, { system, packaged }: Places): string =>
  name === PACKAGED ? packaged : join(versionsFolder(system), name)

/** Where versions lie. */
export interface Places {
  /** The folder of what is installed, and of its state. */
  readonly system: string
  /** The folder of the packaged release. */
  readonly packaged: string
}

/** What the manifest in a folder says; undefined: nothing. */
export const releaseIn = async (disk: Disk, folder: string): Promise<ReleaseHead | undefined> => {
  const bytes = await disk.read(join(folder, MANIFEST))
  return bytes && headIn(bytes)
}

const headIn = (bytes: Buffer): ReleaseHead | undefined => {
  const found = jsonIn(bytes.toString('utf8')) as Partial<ReleaseHead> | null | undefined
  if (typeof found?.version !== 'string') return undefined
  const { version, built_at_ms, minimum_version, files } = found
  return {
    version,
    built_at_ms: Number.isInteger(built_at_ms) ? (built_at_ms as number) : null,
    minimum_version: typeof minimum_version === 'string' ? minimum_version : null,
    files: Array.isArray(files) ? files : [],
  }
}

/** The versions that are whole. */
export const wholeVersions = async (disk: Disk, system: string): Promise<readonly WholeVersion[]> => {
  const folder = versionsFolder(system)
  const names = (await disk.list(folder)).filter((name) => !name.endsWith(PART))
  const found = await Promise.all(names.map((name) => wholeVersion(disk, folder, name)))
  return found.filter((each) => each !== undefined)
}

/** The name that the version in a folder has; undefined: it does not say. */
export const nameIn = async (disk: Disk, folder: string): Promise<string | undefined> => {
  const manifest = await disk.read(join(folder, MANIFEST))
  const head = manifest && headIn(manifest)
  return head && versionName(head.version, sha256Of(manifest))
}

const wholeVersion = async (disk: Disk, folder: string, name: string): Promise<WholeVersion | undefined> => {
  const manifest = await disk.read(join(folder, name, MANIFEST))
  const complete = await disk.read(join(folder, name, COMPLETE))
  if (!manifest || complete?.toString('utf8').trim() !== sha256Of(manifest)) return undefined
  const head = headIn(manifest)
  if (!head || versionName(head.version, sha256Of(manifest)) !== name) return undefined
  return { name, built_at_ms: head.built_at_ms ?? 0 }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** As the API shows a version; undefined: its folder says nothing. */
export const knownVersion = async (disk: Disk, name: string, places: Places): Promise<KnownVersion | undefined> => {
  const head = await releaseIn(disk, folderOf(name, places))
  return head && { name, version: head.version, built_at_ms: head.built_at_ms }
}

/** Removes what was being written when it was interrupted. */
export const removeParts = async (disk: Disk, folder: string): Promise<void> => {
  for (const name of await disk.list(folder)) if (name.endsWith(PART)) await disk.remove(join(folder, name))
}

/** Removes all versions but these. */
export const removeOthers = async (disk: Disk, system: string, kept: readonly string[]): Promise<void> => {
  const folder = versionsFolder(system)
  const others = (await disk.list(folder)).filter((name) => !kept.includes(name))
  for (const name of others) await removeWhole(disk, join(folder, name))
  if (others.length > 0) await disk.sync(folder)
}

/** A folder of which half is removed shall not look whole. */
const removeWhole = async (disk: Disk, folder: string): Promise<void> => {
  if (folder.endsWith(PART)) return disk.remove(folder)
  const leaving = `${folder}.old${PART}`
  await disk.remove(leaving)
  await disk.rename(folder, leaving)
  await disk.remove(leaving)
}

/** Where a version is written. */
interface Writing {
  readonly disk: Disk
  readonly system: string
  /** Ends it before the next file. */
  readonly stop?: AbortSignal
}

/**
 * Writes a version; all of it is on the disk under its name when this succeeds, and nothing has that name before. One
 * that lies there whole, and as its manifest says, stays.
 */
export const writeVersion = async (
  { disk, system, stop }: Writing,
  { manifest, manifestBytes, sha256, files }: VerifiedBundle,
  onProgress: OnProgress,
): Promise<string> => {
  const name = versionName(manifest.version, sha256)
  const versions = versionsFolder(system)
  const folder = join(versions, name)
  if (await isSound(disk, versions, name)) return name
  const part = `${folder}${PART}`
  await disk.remove(part)
  await disk.makeFolder(part)
  const written = await writeFiles(disk, part, { manifest, files }, (...progress) => {
    stop?.throwIfAborted()
    onProgress(...progress)
  })
  for (const [file, content] of [[MANIFEST, manifestBytes] as const, [COMPLETE, Buffer.from(`${sha256}\n`)] as const]) {
    await disk.write(join(part, file), content, PLAIN)
    written.push(join(part, file))
  }
  await syncAll(disk, written, part)
  stop?.throwIfAborted()
  if ((await disk.list(versions)).includes(name)) await removeWhole(disk, folder)
  await disk.rename(part, folder)
  await disk.sync(versions)
  await disk.sync(system) // it may be the first version
  return name
}

/** Each file of the bundle; their paths. */
const writeFiles = async (
  disk: Disk,
  folder: string,
  { manifest, files }: Pick<VerifiedBundle, 'manifest' | 'files'>,
  onProgress: OnProgress,
): Promise<string[]> => {
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const made = new Set([folder])
  const written: string[] = []
  let done = 0
  for await (const { path, bytes, executable, content } of files()) {
    const file = join(folder, path)
    if (!made.has(dirname(file))) await disk.makeFolder(dirname(file))
    made.add(dirname(file))
    await disk.write(file, content, executable ? PROGRAM : PLAIN)
    written.push(file)
    done += bytes
    onProgress(done, total)
  }
  return written
}

/** Has these files on the disk, and the folders from theirs up to this one. */
export const syncAll = async (disk: Disk, files: readonly string[], folder: string): Promise<void> => {
  const folders = new Set<string>([folder])
  for (const file of files) {
    for (let at = dirname(file); at.length > folder.length && !folders.has(at); at = dirname(at)) folders.add(at)
  }
  for (const paths of [files, [...folders]]) {
    for (let at = 0; at < paths.length; at += SYNCS_AT_A_TIME) {
      await Promise.all(paths.slice(at, at + SYNCS_AT_A_TIME).map((path) => disk.sync(path)))
    }
  }
}

/** Whether a version is whole and each of its files is what its manifest says. */
const isSound = async (disk: Disk, versions: string, name: string): Promise<boolean> => {
  if (!(await wholeVersion(disk, versions, name))) return false
  const head = await releaseIn(disk, join(versions, name))
  for (const { path, sha256 } of head?.files ?? []) {
    const bytes = await disk.read(join(versions, name, path))
    if (!bytes || sha256Of(bytes) !== sha256) return false
  }
  return true
}
