// The files of a Linux system below a folder: `/`, or one that stands for it.
import { open, readdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as Effect from 'effect/Effect'
import type { SystemFiles } from './port.ts'

const MAX_BYTES = 65_536
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
})
