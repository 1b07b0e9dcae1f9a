// Whether something reads the file of an item, and will again: then it must stay.
import { realpath } from 'node:fs/promises'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { GraphOf } from '../../machines/stream/slots.ts'
import { modelUsedBy, playedBy, playedPaths } from '../../machines/stream/sources/replay.ts'

/** Why an item must stay; undefined: it need not. path: of its file. */
export type InUse = (name: string, path: string) => Promise<Fault | undefined>

/** Asks the streams, and the stored pipelines of their slots, as they are stored at that moment. */
export const usedByStreams =
  (streams: () => readonly CanonicalManifest[], graphOf: GraphOf): InUse =>
  async (name, path) => {
    const paths = [path, ...streams().flatMap(({ source }) => playedPaths(source))]
    const places = new Map(await Promise.all(paths.map(async (each) => [each, await realOf(each)] as const)))
    const placeOf = (each: string) => places.get(each) ?? each
    return playedBy({ name, path: placeOf(path) }, streams(), placeOf) ?? modelUsedBy(name, streams(), graphOf)
  }

/** The place to which a path leads; of one that leads nowhere itself. */
const realOf = (path: string): Promise<string> => realpath(path).catch(() => path)
