// What installing and starting a version does to the disk, one step after the other: so that a test can play them on a
// disk that loses what was not synced.
import { mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { syncSoon } from '../files/atomic.ts'

/** The steps. Paths are absolute. All but `read` and `list` fail with the file system's error. */
export interface Disk {
  /** The content of a file; undefined: it cannot be read. */
  readonly read: (path: string) => Promise<Buffer | undefined>
  /** The names in a folder; none when there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>
  /** Makes a folder, and those above it. */
  readonly makeFolder: (folder: string) => Promise<void>
  /** Writes a new file, and fails when there is one. */
  readonly write: (path: string, content: Content, mode?: number) => Promise<void>
  /** Has on the disk what a file holds, or which names a folder has. */
  readonly sync: (path: string) => Promise<void>
  /** Puts a file in the place of another, or a folder where there is none. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** Removes what is there, with all in it. */
  readonly remove: (path: string) => Promise<void>
  /** The bytes that may still be written in a folder. */
  readonly free: (folder: string) => Promise<number>
}

/** What is written, at once or piece by piece. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>

const DEFAULT_MODE = 0o644

/** The disk of this device. */
export const realDisk: Disk = {
  read: (path) => readFile(path).catch(() => undefined),
  list: (folder) => readdir(folder).catch(() => []),
  makeFolder: async (folder) => void (await mkdir(folder, { recursive: true })),
  write: async (path, content, mode = DEFAULT_MODE) => {
    await using file = await open(path, 'wx', mode)
    await file.writeFile(content)
  },
  sync: syncSoon,
  rename,
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  free: async (folder) => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
}
