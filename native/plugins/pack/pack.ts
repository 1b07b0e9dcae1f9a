// Makes a package of a folder: the same bytes of the same files, whoever does it, and whenever.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { PluginManifest } from '../../../machines/plugins/manifest.ts'
import { readManifest, refusedPackage } from '../../../machines/plugins/package/manifest-rules.ts'
import { MANIFEST_NAME, MAX_FILES } from '../../../machines/plugins/package/rules.ts'
import { namesFlaw } from '../../../machines/update/archive-names.ts'
import { type ZipEntry, zipOf } from '../../files/zip.ts'

/** A package, and what it says of itself. */
export interface Packed {
  readonly manifest: PluginManifest
  readonly bytes: Buffer
}

const MAY_RUN = 0o100

/** What nobody wants in a package: of tools, and the packages that this makes. */
const isLeftOut = (name: string): boolean => name.startsWith('.') || name === '__pycache__' || name.endsWith('.pyc')

/** Makes a package of a folder with a manifest. `plugin.refused` with why no device would take it. */
export const packFolder = async (folder: string): Promise<Packed | Fault> => {
  const paths = (await filesIn(folder)).toSorted()
  if (paths.length > MAX_FILES)
    return refusedPackage(`${paths.length} files are in the folder, and ${MAX_FILES} may be`)
  const flaw = namesFlaw({ files: paths })
  if (flaw) return refusedPackage(flaw)
  if (!paths.includes(MANIFEST_NAME)) return refusedPackage(`there is no ${MANIFEST_NAME} in the folder`)
  const manifest = readManifest(await readFile(join(folder, MANIFEST_NAME), 'utf8'), paths)
  if (isFault(manifest)) return manifest
  const entries: ZipEntry[] = []
  for (const path of paths) {
    const { mode } = await stat(join(folder, path))
    entries.push({ path, bytes: await readFile(join(folder, path)), mayRun: (mode & MAY_RUN) !== 0 })
  }
  return { manifest, bytes: await zipOf(entries) }
}

/** All files below a folder, with / between; links are none. */
const filesIn = async (folder: string, below = ''): Promise<readonly string[]> => {
  const entries = (await readdir(join(folder, below), { withFileTypes: true })).filter(({ name }) => !isLeftOut(name))
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) return filesIn(folder, path)
      return entry.isFile() ? [path] : []
    }),
  )
  return found.flat()
}
