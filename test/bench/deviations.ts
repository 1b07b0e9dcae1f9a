// What the standard deviations of poses are worth, axis by axis, and how often a single tag's pose is its mirror image, with and without what the frames
// before say, for each limit of ambiguity. Once with poses so far apart that each is one of its own, and once as a robot drives, where each remembers the
// one before.
import { type Result, rowsOf } from '../../machines/engine/result.ts'
import { poseError } from '../../machines/localization/accuracy.ts'
import { demoMap, type FieldMap } from '../../machines/localization/field-map.ts'
import { defaultGraph } from '../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { AXES, type Deviation, deviationOf, within } from '../support/coverage.ts'
import { stepped } from '../support/stepped.ts'
import type { Measurement } from './lab.ts'
import type { Row } from './row.ts'
import { MOUNT } from './scenes.ts'

const SEEDS = [31, 32] // none of those that the figures in tag_edges.cc were chosen with
const FRAMES = 200
const ALONE = 17 // frames of 30 in a second: more than half a second apart
const DRIVING = 3 // a robot whose engine takes ten frames a second; 200 of them are most of a round
const LIMITS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1]
const LIMITS_DRIVING = [0.2, 0.4, 1] // each needs a run of its own, since the frames before have a say
const FLIPPED_M = 0.3

type Motion = 'patrol' | 'orbit'

/** One tag of each pair: hardly ever two in view. */
const singles: FieldMap = { ...demoMap, tags: demoMap.tags.filter(({ id }) => id % 2 === 1) }

export const deviations: Measurement = async (lab) => {
  const rows: Row[] = []
  for (const motion of ['patrol', 'orbit'] as const)
    for (const noise of [2, 8])
      for (const map of [singles, demoMap])
        for (const every of [ALONE, DRIVING]) {
          const found = await covered({ motion, noise, map, every })
          for (const { what, measured, from } of found) lab.say(`${what} ${measured.toFixed(1)} % (${from})`)
          rows.push(...found)
        }
  for (const noise of [2, 8, 12])
    for (const every of [ALONE, DRIVING])
      lab.say(mirrored(noise, every, await limited({ motion: 'patrol', noise, map: singles, every })))
  return rows
}

interface View {
  readonly motion: Motion
  readonly noise: number
  readonly map: FieldMap
  readonly every: number
  readonly maxAmbiguity?: number
}

const views = async ({ motion, noise, map, every, maxAmbiguity }: View): Promise<Result[]> => {
  const results: Result[] = []
  for (const seed of SEEDS) {
    const source = { backend: 'synthetic', motion, noise, seed } as const
    const manifest: StreamManifest = { source, pose: MOUNT, pipeline: graphWithLimit(maxAmbiguity) }
    results.push(...(await stepped({ manifest, map, frames: FRAMES, every })))
  }
  return results
}

const graphWithLimit = (max_ambiguity: number | undefined) => ({
  ...defaultGraph,
  nodes: defaultGraph.nodes.map((node) =>
    node.type === 'field-pose' && max_ambiguity !== undefined ? { ...node, params: { max_ambiguity } } : node,
  ),
})

const covered = async (view: View): Promise<Row[]> => {
  const { motion, noise, map, every } = view
  const some = (await views(view))
    .map(deviationOf)
    .filter((each) => each !== undefined)
    .filter(({ tagCount }) => tagCount > 1 === (map === demoMap))
  const tags = map === singles ? 'one tag' : 'many tags'
  return coverage(`${motion}, noise ${noise}, ${tags}, ${every === ALONE ? 'each for itself' : 'driving'}`, some)
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

/** The frames with one known tag, and for each limit the poses that they gave. */
const limited = async (view: View): Promise<ReadonlyMap<number, readonly (number | undefined)[]>> => {
  const single = async (maxAmbiguity: number) =>
    (await views({ ...view, maxAmbiguity })).filter((result) => rowsOf(result, 'tag_poses')?.count === 1)
  const off = (result: Result) => poseError(result)?.distance_m
  if (view.every === ALONE) {
    const all = await single(1)
    const upTo = (limit: number) => (result: Result) =>
      (deviationOf(result)?.ambiguity ?? 1) <= limit ? off(result) : undefined
    return new Map(LIMITS.map((limit) => [limit, all.map(upTo(limit))]))
  }
  const byLimit = new Map<number, (number | undefined)[]>()
  for (const limit of LIMITS_DRIVING) byLimit.set(limit, (await single(limit)).map(off))
  return byLimit
}

const mirrored = (
  noise: number,
  every: number,
  byLimit: ReadonlyMap<number, readonly (number | undefined)[]>,
): string =>
  [
    `one tag, noise ${noise}, ${every === ALONE ? 'each frame for itself' : 'driving, 10 frames a second'}:`,
    ...[...byLimit].map(([limit, offs]) => {
      const given = offs.filter((off) => off !== undefined)
      const wrong = given.filter((off) => off > FLIPPED_M)
      const percent = (count: number) => `${((100 * count) / offs.length).toFixed(1)} %`
      const worst = Math.max(0, ...wrong).toFixed(1)
      return `  limit ${limit}: ${percent(offs.length - given.length)} give no pose, ${percent(wrong.length)} are over ${FLIPPED_M} m off (worst ${worst} m), of ${offs.length}`
    }),
  ].join('\n')
