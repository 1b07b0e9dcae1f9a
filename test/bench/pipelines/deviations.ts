// What the standard deviations of poses are worth, axis by axis, and how often a single tag's pose is its mirror image,
// with and without what the frames before say, for each limit of ambiguity. Once with poses so far apart that each is
// one of its own, and once as a robot drives, where each remembers the one before. Every picture is drawn and looked at
// once, whatever it is asked for; the seeds are run side by side.
import { type Result, rowsOf } from '../../../machines/engine/result.ts'
import { poseError } from '../../../machines/localization/accuracy.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import { defaultGraph, type GraphDocument } from '../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { AXES, type Deviation, deviationOf, within } from '../../support/engine/coverage.ts'
import { singleTags } from '../../support/engine/field-maps.ts'
import { stepped } from '../../support/engine/stepped.ts'
import type { Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { MOUNT } from '../lab/scenes.ts'

const SEEDS = [31, 32] // none of those that the figures in tag_edges.cc were chosen with
const FRAMES = 200
const ALONE = 17 // frames of 30 in a second: more than half a second apart
const DRIVING = 3 // a robot whose engine takes ten frames a second; 200 of them are most of a round
const LIMITS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1]
const FLIPPED_M = 0.3

export const deviations: Measurement = async (lab) => {
  const rows: Row[] = []
  for (const motion of ['patrol', 'orbit'] as const)
    for (const noise of [2, 8])
      for (const map of [singleTags, demoMap])
        for (const every of [ALONE, DRIVING]) {
          const results = await views({ motion, noise }, map, every)
          const tags = map === singleTags ? 'one tag' : 'many tags'
          const pace = every === ALONE ? 'each for itself' : 'driving'
          const some = results.map(deviationOf).filter((each) => each !== undefined)
          const wanted = some.filter(({ tagCount }) => tagCount > 1 === (map === demoMap))
          const found = coverage(`${motion}, noise ${noise}, ${tags}, ${pace}`, wanted)
          for (const { what, measured, from } of found) lab.say(`${what} ${measured.toFixed(1)} % (${from})`)
          if (motion === 'patrol' && map === singleTags) lab.say(mirrored(`noise ${noise}, ${pace}`, results))
          rows.push(...found)
        }
  const poor = { motion: 'patrol', noise: 12, width_px: 640, height_px: 400 } as const
  lab.say(mirrored('640x400, noise 12, each for itself', await views(poor, singleTags, ALONE)))
  lab.say(mirrored('640x400, noise 12, every frame', await views(poor, singleTags, 1)))
  return rows
}

interface View {
  readonly motion: 'patrol' | 'orbit'
  readonly noise: number
  readonly width_px?: number
  readonly height_px?: number
}

const views = async (view: View, map: FieldMap, every: number): Promise<readonly Result[]> => {
  const manifest = (seed: number): StreamManifest => ({
    source: { backend: 'synthetic', ...view, seed },
    pose: MOUNT,
    pipeline: withLimits,
  })
  return (
    await Promise.all(SEEDS.map((seed) => stepped({ manifest: manifest(seed), map, frames: FRAMES, every })))
  ).flat()
}

const portOf = (limit: number): string => `pose_${100 * limit}`

/** The default graph, and beside its pose those that other limits would give: each remembers its own before. */
const withLimits: GraphDocument = {
  nodes: [
    ...defaultGraph.nodes,
    ...LIMITS.map((limit) => ({ id: portOf(limit), type: 'field-pose', params: { max_ambiguity: limit } })),
  ],
  edges: [
    ...defaultGraph.edges,
    ...LIMITS.flatMap((limit) => [
      { from: 'points.points', to: `${portOf(limit)}.points` },
      { from: 'tag_poses.poses', to: `${portOf(limit)}.tag_poses` },
    ]),
  ],
  outputs: [
    ...defaultGraph.outputs,
    ...LIMITS.map((limit) => ({ port: portOf(limit), from: `${portOf(limit)}.pose` })),
  ],
}

const coverage = (what: string, some: readonly Deviation[]): Row[] => {
  const all = within(some.flatMap(({ of }) => AXES.map((axis) => of[axis])))
  return all.map((share, n) => {
    const each = AXES.map((axis) => within(some.map(({ of }) => of[axis]))[n] as number)
    const named = AXES.map((axis, i) => `${axis} ${(each[i] as number).toFixed(1)}`).join(', ')
    return {
      what: `${what}: within ${n + 1} standard deviation${n === 0 ? '' : 's'}`,
      unit: '%',
      measured: share,
      low: Math.min(...each),
      high: Math.max(...each),
      from: `${some.length} poses; ${named}`,
    }
  })
}

/** For each limit, what became of the frames with one known tag. */
const mirrored = (what: string, results: readonly Result[]): string => {
  const single = results.filter((result) => rowsOf(result, 'tag_poses')?.count === 1)
  const percent = (count: number) => `${((100 * count) / single.length).toFixed(1)} %`
  const lines = LIMITS.map((limit) => {
    const given = single
      .map((result) => poseError(result, portOf(limit))?.distance_m)
      .filter((off) => off !== undefined)
    const wrong = given.filter((off) => off > FLIPPED_M)
    const worst = Math.max(0, ...wrong).toFixed(1)
    const missing = `${percent(single.length - given.length)} give no pose`
    const off = `${percent(wrong.length)} are over ${FLIPPED_M} m off (worst ${worst} m)`
    return `  limit ${limit}: ${missing}, ${off}, of ${single.length}`
  })
  return [`one tag, ${what}:`, ...lines].join('\n')
}
