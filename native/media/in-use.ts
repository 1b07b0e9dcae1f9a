// Whether something reads the file of an item, and will again: then it must stay.
import type { Dirent } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { GraphOf } from '../../machines/stream/slots.ts'
import { modelUsedBy, playedBy, playedPaths } from '../../machines/stream/sources/replay.ts'

/** Why an item must stay; undefined: it need not. path: of its file. */
export type InUse = (name: string, path: string) => Promise<Fault | undefined>

/** As much of the disk as tells where paths lead. */
interface PathsOnDisk {
  readonly realpath: (path: string) => Promise<string>
  readonly readdir: (folder: string) => Promise<readonly Pick<Dirent, 'name' | 'isSymbolicLink'>[]>
}

const realDisk: PathsOnDisk = {
  realpath: (path) => realpath(path),
  readdir: (folder) => readdir(folder, { withFileTypes: true }),
}

/** Asks the streams, and the stored pipelines of their slots, as they are stored at that moment. */
export const usedByStreams =
  (streams: () => readonly CanonicalManifest[], graphOf: GraphOf, disk = realDisk): InUse =>
  async (name, path) => {
    const places = await placesOf([path, ...streams().flatMap(({ source }) => playedPaths(source))], disk)
    const placeOf = (each: string) => places.get(each) ?? each
    return playedBy({ name, path: placeOf(path) }, streams(), placeOf) ?? modelUsedBy(name, streams(), graphOf)
  }

/** Of so many paths in one folder each is asked by itself; of more the folder is read instead. */
const MAX_ASKED = 32

/** The places to which paths lead. */
const placesOf = async (paths: readonly string[], disk: PathsOnDisk): Promise<ReadonlyMap<string, string>> => {
  const folders = Map.groupBy(new Set(paths), dirname)
  const found = await Promise.all([...folders].map(([folder, inside]) => placesIn(folder, inside, disk)))
  return new Map(found.flat())
}

type Place = readonly [path: string, place: string]

/** A list has thousands of files of one folder, nearly all of which are no links. */
const placesIn = async (folder: string, paths: readonly string[], disk: PathsOnDisk): Promise<readonly Place[]> => {
  const links = paths.length > MAX_ASKED ? await linksIn(folder, disk) : undefined
  const place = links && (await realOf(folder, disk))
  return Promise.all(
    paths.map(async (path) => {
      const name = basename(path)
      const isLink = !links || place === undefined || links.has(name)
      return [path, isLink ? await realOf(path, disk) : join(place, name)] as const
    }),
  )
}

/** undefined: it cannot be read. */
const linksIn = async (folder: string, { readdir }: PathsOnDisk): Promise<ReadonlySet<string> | undefined> => {
  try {
    const inside = await readdir(folder)
    return new Set(inside.filter((each) => each.isSymbolicLink()).map(({ name }) => name))
  } catch {
    return undefined
  }
}

/** The place to which a path leads; of one that leads nowhere itself. */
const realOf = (path: string, { realpath }: PathsOnDisk): Promise<string> => realpath(path).catch(() => path)
