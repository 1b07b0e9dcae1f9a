// Pipelines that are switched to and fro, the camera whose pictures they get, and the waits between two switches.
import { defaultGraph, type GraphDocument } from '../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { tagsAs } from '../../support/engine/graphs.ts'
import type { Lab } from '../lab/lab.ts'
import { quantile, type Row } from '../lab/row.ts'
import { eightTagMap, eightTagSource, renderJpegs } from '../lab/scenes.ts'

const FPS = 60
const MIN_MS = 100
const MORE_MS = 97 // waits of all lengths, so that no switch is in step with the camera
const SIZE = { width_px: 640, height_px: 480 }

/** Two pipelines of which neither has anything of the other: another decimation makes another detector. */
export const GRAPHS: readonly [GraphDocument, GraphDocument] = [tagsAs('tags', { decimate: 3 }), defaultGraph]

/** A wall of eight tags, 60 pictures a second. */
export const wall = async (lab: Lab): Promise<StreamManifest['source']> => {
  const path = await renderJpegs(lab, {
    manifest: { source: { ...eightTagSource, ...SIZE } },
    map: eightTagMap,
    name: 'wall',
    count: 4,
  })
  return { backend: 'images', path: [...path], fps: FPS }
}

/** Before a switch. */
export const waitMs = (n: number): number => MIN_MS + ((n * 37) % MORE_MS)

/** What a number of pictures after each switch comes to: most, p99 and p50. atMost: for the most. */
export const picturesUntil = (
  what: string,
  counts: readonly number[],
  from: string,
  atMost?: number,
): readonly Row[] => {
  const row = (name: string, measured: number): Row => ({
    what: name,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from,
  })
  return [
    { ...row(`${what}, most`, Math.max(...counts)), ...(atMost !== undefined && { figure: { atMost } }) },
    row('  the same, p99', quantile(counts, 0.99)),
    row('  the same, p50', quantile(counts, 0.5)),
  ]
}
