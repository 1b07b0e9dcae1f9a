// The files of a Linux system below a folder: `/`, or one that stands for it.
import { chmod, mkdir, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { isFullDisk, syncSoon, writeFileWholeSoon } from '../files/atomic.ts'
import type { SystemFiles } from './port.ts'

const MAX_BYTES = 65_536
const MAX_WHOLE_BYTES = 1_048_576
const READABLE = { file: 0o644, folder: 0o755 } // for other programs, whatever the umask of this one
const AROUND = /^[\s\0]+|[\s\0]+$/g

/** root: the folder below which the paths lie. */
export const linuxSystemFiles = (root = '/'): SystemFiles => ({
  text: async (path) => {
    try {
      await using file = await open(join(root, path), 'r')
      const bytes = Buffer.allocUnsafe(MAX_BYTES)
      let length = 0
      while (length < MAX_BYTES) {
        const { bytesRead } = await file.read(bytes, length, MAX_BYTES - length, null)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return bytes.toString('utf8', 0, length).replace(AROUND, '')
    } catch {
      return null
    }
  },
  names: async (path) => {
    try {
      return (await readdir(join(root, path))).sort()
    } catch {
      return []
    }
  },
  place: async (path) => {
    try {
      return `/${relative(await realpath(root), await realpath(join(root, path)))}`
    } catch {
      return null
    }
  },
  write: (path, text) =>
    Effect.tryPromise({
      try: async () => {
        await using file = await open(join(root, path), 'r+')
        await file.write(text)
      },
      catch: (error) => ({
        code: 'device.failed',
        detail: `${path} did not take ${JSON.stringify(text.trim())}: ${(error as Error).message}`,
      }),
    }),
  bytes: async (path) => {
    try {
      const { size } = await stat(join(root, path))
      return size > MAX_WHOLE_BYTES ? null : await readFile(join(root, path))
    } catch {
      return null
    }
  },
  put: (path, bytes) =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: async () => {
          await makeFolders(dirname(join(root, path)))
          await writeFileWholeSoon(join(root, path), bytes, { mode: READABLE.file })
        },
        catch: (error) => storageFault(`${path} cannot be written`, error),
      }),
    ),
  remove: (path) =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: async () => {
          await rm(join(root, path), { force: true })
          await syncSoon(dirname(join(root, path)))
        },
        catch: (error) => storageFault(`${path} cannot be removed`, error),
      }),
    ),
})

/** Those that are missing, each with its name on the disk. */
const makeFolders = async (folder: string): Promise<void> => {
  if (await stat(folder).catch(() => null)) return
  await makeFolders(dirname(folder))
  await mkdir(folder)
  await chmod(folder, READABLE.folder)
  await syncSoon(dirname(folder))
}

const storageFault = (what: string, error: unknown): Fault => ({
  code: isFullDisk(error) ? 'storage.full' : 'storage.failed',
  detail: `${what}: ${(error as Error).message}`,
})
