// Files without a file system: for tests, and for a service that runs without a device.
import { liesWithin } from '../../machines/stream/sources/media-roots.ts'
import type { MediaRootsPort } from './port.ts'

/** The port, and what was asked of it. */
export interface FakeMediaRoots extends MediaRootsPort {
  /** The paths that were looked up, in that order. */
  readonly asked: readonly string[]
}

/**
 * roots: where files may lie. links: what leads elsewhere; to null: nowhere. Every other path is its own place, be it
 * there or not.
 */
export const fakeMediaRoots = (
  roots: readonly string[] = ['/pictures'],
  links: Readonly<Record<string, string | null>> = {},
): FakeMediaRoots => {
  const asked: string[] = []
  const realPlace = async (path: string): Promise<string | null> => {
    asked.push(path)
    const link = Object.keys(links).find((each) => liesWithin(each, path))
    if (link === undefined) return path
    const target = links[link]
    return target == null ? null : target + path.slice(link.length)
  }
  return { asked, realPlace, roots: async () => roots.map((root) => ({ named: root, real: root })) }
}
