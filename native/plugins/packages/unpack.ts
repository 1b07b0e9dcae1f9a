// Looks through a whole package, or unpacks it: done in a process of its own (child.ts), which may be stopped and has
// little memory.
import { dirname, join } from 'node:path'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { PluginManifest } from '../../../machines/plugins/manifest.ts'
import type { PackageFile } from '../../../machines/plugins/package/rules.ts'
import { isFullForFile } from '../../files/atomic.ts'
import { realDisk } from '../../update/disk.ts'
import { syncAll } from '../../update/versions.ts'
import { withPackage } from './read.ts'

/** What a package was found to be. */
export interface LookedThrough {
  readonly manifest: PluginManifest
  /** Of all its files. */
  readonly unpacked_bytes: number
}

/** How packages are looked through and unpacked. Never rejects but for bugs. */
export interface PackageWorker {
  /** Reads all of it. `plugin.refused` with a sentence. */
  readonly inspect: (path: string) => Promise<LookedThrough | Fault>
  /** The same, and writes its files into a new folder, all of them on the disk when this ends. */
  readonly unpack: (path: string, into: string) => Promise<LookedThrough | Fault>
}

const PROGRAM = 0o755
const PLAIN = 0o644

/** Done in this very process. */
export const packageWorker: PackageWorker = {
  inspect: (path) =>
    attempted(() =>
      withPackage(path, async ({ manifest, files, content }) => {
        for (const file of files) for await (const _ of content(file));
        return { manifest, unpacked_bytes: bytesOf(files) }
      }),
    ),
  unpack: (path, into) =>
    attempted(() =>
      withPackage(path, async ({ manifest, files, content }) => {
        await realDisk.makeFolder(into)
        const programs = programsOf(manifest)
        for (const file of files) {
          const target = join(into, file.path)
          await realDisk.makeFolder(dirname(target))
          await realDisk.write(target, content(file), file.isExecutable || programs.has(file.path) ? PROGRAM : PLAIN)
        }
        const paths = files.map((file) => join(into, file.path))
        await syncAll(realDisk, paths, into)
        return { manifest, unpacked_bytes: bytesOf(files) }
      }),
    ),
}

/** Archives of some systems say nothing of rights. */
const programsOf = ({ program, provides: { nodes = [] } }: PluginManifest): ReadonlySet<string> =>
  new Set(
    [...(program ? [program] : []), ...nodes.map((node) => node.program)]
      .filter(({ runtime }) => runtime === 'executable')
      .map(({ path }) => path),
  )

const bytesOf = (files: readonly PackageFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

const attempted = async <Value>(work: () => Promise<Value>): Promise<Value | Fault> => {
  try {
    return await work()
  } catch (error) {
    return packageFault(error)
  }
}

/** What the file system says of packages, as a fault. Throws what is none: a bug. */
export const packageFault = (error: unknown): Fault => {
  if (isFault(error)) return error
  const { syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) throw error
  return isFullForFile(error)
    ? {
        code: 'storage.full',
        detail: 'there is no room left for packages of plugins; remove some plugins, or delete some media items',
      }
    : { code: 'storage.failed', detail: `packages of plugins cannot be kept: ${message}` }
}
