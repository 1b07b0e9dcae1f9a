// Whether something reads the file of an item, and will again: then it must stay.
import { realpathSync } from 'node:fs'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { GraphOf } from '../../machines/stream/slots.ts'
import { modelUsedBy, playedBy } from '../../machines/stream/sources/replay.ts'

/** Why an item must stay; undefined: it need not. path: of its file. */
export type InUse = (name: string, path: string) => Fault | undefined

/** Asks the streams, and the stored pipelines of their slots, as they are stored at that moment. */
export const usedByStreams =
  (streams: () => readonly CanonicalManifest[], graphOf: GraphOf): InUse =>
  (name, path) =>
    playedBy({ name, path: realOf(path) }, streams(), realOf) ?? modelUsedBy(name, streams(), graphOf)

/** The place to which a path leads; of one that leads nowhere itself. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
