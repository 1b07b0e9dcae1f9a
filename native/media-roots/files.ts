// The files of this device. Only asks where paths lead: what is read is opened, and checked once more, by the engine
// (capture/media_file.cc).
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import type { MediaRootsPort } from './port.ts'

const LIMIT_MS = 2_000 // a share whose server is gone; the caller shall not wait for it

/** named: the roots, as absolute paths. */
export const filesOfRoots = (named: readonly string[]): MediaRootsPort => ({
  roots: async () => {
    const found = await Promise.all(
      named.map(async (root) => ({ named: normalize(root), real: await realPlace(root) })),
    )
    return found.flatMap(({ named, real }) => (real === null ? [] : [{ named, real }]))
  },
  realPlace,
})

const realPlace = async (path: string): Promise<string | null> => {
  const limit = Promise.withResolvers<null>()
  const timer = setTimeout(() => limit.resolve(null), LIMIT_MS)
  try {
    return await Promise.race([follow(normalize(path), performance.now() + LIMIT_MS), limit.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Goes up to the nearest folder that is there. */
const follow = async (path: string, untilMs: number): Promise<string | null> => {
  const missing: string[] = []
  for (let at = path; performance.now() < untilMs; at = dirname(at)) {
    const real = await realpath(at).catch(() => null)
    if (real !== null) return join(real, ...missing)
    if (at === dirname(at) || (await isLink(at))) return null
    missing.unshift(basename(at))
  }
  return null
}

const isLink = async (path: string): Promise<boolean> =>
  lstat(path).then(
    (status) => status.isSymbolicLink(),
    () => false,
  )
