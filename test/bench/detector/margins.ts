// Which least margin each family of tags needs: what is found in how much light, and what is found where there is
// nothing, over scenes of all families at once, textures without tags, and real pictures. Every picture is looked at
// for every family; textures and real pictures also for ArUco markers.
import type { Result } from '../../../machines/engine/result.ts'
import { APRILTAG_FAMILIES, TAG_FAMILIES, type TagFamily } from '../../../machines/engine/tag-families.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { graphWithTags } from '../../support/engine/engine-task.ts'
import { rowObjects } from '../../support/engine/row-objects.ts'
import { stepped, steppedPictures } from '../../support/engine/stepped.ts'
import { holds, PHOTOGRAPHS, photographs, withTags } from '../../support/media/photographs.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { familyIn, PHOTOGRAPHED } from './searches.ts'
import { writeTextures } from './textures.ts'

const LIGHTS = [0.05, 0.07, 0.1, 0.2, 0.5, 1]
/** Of what is looked through for false tags: in the dark there is hardly more than noise. */
const DIMMED = [
  { light: 1, noise: 2 },
  { light: 0.3, noise: 2 },
  { light: 0.1, noise: 2 },
  { light: 0.05, noise: 2 },
  { light: 0.05, noise: 1 },
  { light: 0.03, noise: 1 },
] as const
const NOISES = [2, 8]
const DECIMATES = [1, 2]
const THRESHOLDS = [0, 1, 2, 3, 4, 5, 7, 10, 20]
/** As a camera in the dark sees the real pictures: what a threshold costs shows there. */
const DARK = [
  { light: 0.07, noise: 1 },
  { light: 0.07, noise: 2 },
  { light: 0.05, noise: 1 },
  { light: 0.05, noise: 2 },
  { light: 0.04, noise: 1 },
  { light: 0.03, noise: 1 },
] as const
const ENGINES = ['vedette', 'reference'] as const
/** The largest dictionary of each size of markers has the most false ones. */
const DICTIONARIES = ['4x4_50', '4x4_1000', '5x5_1000', '6x6_1000', '7x7_1000', 'original'] as const
const BITS = [0, 1, 2]
const FRAMES = 12
const MIN_SIDE_PX = 20 // smaller tags are lost for other reasons

interface Found {
  readonly family: TagFamily
  readonly id: number
  readonly hamming: number
  readonly margin: number
  readonly cx: number
  readonly cy: number
}

interface Counts {
  /** Margins of what was found where it is, by family, light and noise. */
  readonly hits: Map<string, Found[]>
  readonly shown: Map<string, number>
  readonly falseOnes: (Found & { readonly where: string })[]
  pictures: number
}

export const margins: Measurement = async (lab) => {
  const counts: Counts = { hits: new Map(), shown: new Map(), falseOnes: [], pictures: 0 }
  for (const decimate of DECIMATES) {
    const pipeline = graphWithTags({ families: [...APRILTAG_FAMILIES], decimate, min_margin: 0, max_hamming: 2 })
    for (const family of APRILTAG_FAMILIES)
      for (const light of LIGHTS) for (const noise of NOISES) await scene(counts, { family, light, noise, pipeline })
    lab.say(`decimate ${decimate}: scenes of all families done`)
    for (const seed of [1, 2])
      await tagless(counts, writeTextures(lab.folder, seed), pipeline, (file) => file.split('/').at(-1) ?? '')
    lab.say(`decimate ${decimate}: textures done`)
    const known = await dimPhotographs(counts, pipeline)
    lab.say(known ? `decimate ${decimate}: real pictures done` : 'the real pictures are not here; left out')
  }
  lab.say(recallTable(counts))
  lab.say(falseTable(counts))
  lab.say(await falseMarkersTable(lab))
  const dark = await inTheDark()
  lab.say(darkTable(dark))
  return [...APRILTAG_FAMILIES.flatMap((family) => rowsOfFamily(counts, family)), ...rowsOfDark(dark)]
}

/** The graph that the counting is done with. */
type Pipeline = ReturnType<typeof graphWithTags>

const scene = async (
  counts: Counts,
  at: { family: TagFamily; light: number; noise: number; pipeline: Pipeline },
): Promise<void> => {
  const { family, light, noise, pipeline } = at
  const source = { backend: 'synthetic', motion: 'patrol', light, noise } as const
  const map = { ...demoMap, family }
  const results = await stepped({ manifest: { source, pipeline }, map, frames: FRAMES, every: 97 })
  const key = `${family} ${light} ${noise}`
  for (const result of results) {
    const visible = rowObjects(result, 'visible') ?? []
    const whole = visible.filter((tag) => tag.visible_fraction === 1 && sideOf(tag) >= MIN_SIDE_PX)
    counts.shown.set(key, (counts.shown.get(key) ?? 0) + whole.length)
    const is = (tag: Record<string, number>) => (one: Found) =>
      one.family === family &&
      one.id === tag.id &&
      Math.hypot(one.cx - (tag.cx_px ?? 0), one.cy - (tag.cy_px ?? 0)) < 10
    const found = foundIn(result)
    for (const tag of whole) append(counts.hits, key, found.filter(is(tag)).slice(0, 1))
    const none = found.filter((one) => !visible.some((tag) => is(tag)(one)))
    counts.falseOnes.push(...none.map((one) => ({ ...one, where: `${key} scene` })))
    counts.pictures++
  }
}

const sideOf = (tag: Record<string, number>): number =>
  Math.hypot((tag.x1_px ?? 0) - (tag.x0_px ?? 0), (tag.y1_px ?? 0) - (tag.y0_px ?? 0))

const append = <T>(map: Map<string, T[]>, key: string, values: readonly T[]): void => {
  map.set(key, [...(map.get(key) ?? []), ...values])
}

const foundIn = (result: Result): Found[] =>
  (rowObjects(result, 'tags') ?? []).map((row) => ({
    family: TAG_FAMILIES[row.family as number] as TagFamily,
    id: row.id as number,
    hamming: row.hamming as number,
    margin: row.margin as number,
    cx: row.cx_px as number,
    cy: row.cy_px as number,
  }))

const tagless = async (
  counts: Counts,
  files: readonly string[],
  pipeline: Pipeline,
  nameOf: (file: string) => string,
  isKnown: (file: string, found: Found) => boolean = () => false,
): Promise<void> => {
  for (const at of DIMMED)
    for (const [n, result] of (await steppedPictures(files, { pipeline, ...at })).entries()) {
      const file = files[n] as string
      const none = foundIn(result).filter((one) => !isKnown(file, one))
      counts.falseOnes.push(...none.map((one) => ({ ...one, where: `${nameOf(file)} at ${at.light}` })))
      counts.pictures++
    }
}

/** With the usual bits corrected. Boards of markers are left out. */
const falseMarkersTable = async (lab: Lab): Promise<string> => {
  const real = (photographs() ?? []).filter(({ kind }) => kind !== 'charuco').map(({ file }) => PHOTOGRAPHS + file)
  const files = [...[1, 2].flatMap((seed) => writeTextures(lab.folder, seed)), ...real]
  const lines = [['dictionary', 'pictures', ...THRESHOLDS.map((least) => `margin ${least}`)].join(' | ')]
  for (const dictionary of DICTIONARIES) {
    const counts: Counts = { hits: new Map(), shown: new Map(), falseOnes: [], pictures: 0 }
    await tagless(counts, files, graphWithMarkers(dictionary), (file) => file)
    const at = THRESHOLDS.map((least) => counts.falseOnes.filter(({ margin }) => margin >= least).length)
    lines.push([dictionary, counts.pictures, ...at].join(' | '))
  }
  return `markers found where there are none:\n${lines.join('\n')}`
}

const graphWithMarkers = (dictionary: (typeof DICTIONARIES)[number]): Pipeline => ({
  ...defaultGraph,
  nodes: defaultGraph.nodes.map((node) =>
    node.type === 'apriltag'
      ? { id: node.id, type: 'aruco', params: { dictionaries: [dictionary], min_margin: 0 } }
      : node,
  ),
})

/** False when they are not at hand. */
const dimPhotographs = async (counts: Counts, pipeline: Pipeline): Promise<boolean> => {
  const images = photographs()
  if (!images) return false
  const known = new Map(images.map(({ file, tags, unconfirmed }) => [file, [...tags, ...unconfirmed]]))
  const nameOf = (file: string) => file.slice(PHOTOGRAPHS.length)
  const isKnown = (file: string, { family, id, cx, cy }: Found) =>
    (known.get(nameOf(file)) ?? []).some((tag) => tag.family === family && tag.id === id && holds(tag, cx, cy))
  const files = images.map(({ file }) => PHOTOGRAPHS + file)
  await tagless(counts, files, pipeline, nameOf, isKnown)
  return true
}

/** Margins of the confirmed tags that were found in real pictures made dark. */
interface Dark {
  readonly light: number
  readonly noise: number
  readonly engine: (typeof ENGINES)[number]
  readonly margins: readonly number[]
  readonly shown: number
}

const inTheDark = async (): Promise<readonly Dark[]> => {
  const dark: Dark[] = []
  const tagged = withTags(photographs() ?? [])
  for (const at of tagged.length > 0 ? DARK : [])
    for (const engine of ENGINES) {
      const margins: number[] = []
      let shown = 0
      for (const family of PHOTOGRAPHED) {
        const images = tagged.filter((image) => familyIn(image) === family)
        const pipeline = graphWithTags({ families: [family], decimate: 1, min_margin: 0, engine })
        const results = await steppedPictures(
          images.map(({ file }) => PHOTOGRAPHS + file),
          { pipeline, ...at },
        )
        for (const [n, { tags }] of images.entries()) {
          const found = foundIn(results[n] as Result)
          const sure = tags.filter(({ crossChecked }) => crossChecked !== false)
          shown += sure.length
          for (const tag of sure) {
            const one = found.find(({ id, cx, cy }) => id === tag.id && holds(tag, cx, cy))
            if (one) margins.push(one.margin)
          }
        }
      }
      dark.push({ ...at, engine, margins, shown })
    }
  return dark
}

const darkTable = (dark: readonly Dark[]): string =>
  [
    'confirmed tags found in real pictures made dark:',
    ['engine', 'light', 'noise', 'shown', ...THRESHOLDS.map((least) => `margin ${least}`)].join(' | '),
    ...dark.map(({ engine, light, noise, shown, margins }) => {
      const at = THRESHOLDS.map((least) => margins.filter((margin) => margin >= least).length)
      return [engine, light, noise, shown, ...at].join(' | ')
    }),
  ].join('\n')

/** With the default of each family, and of libapriltag all. */
const rowsOfDark = (dark: readonly Dark[]): Row[] => {
  if (dark.length === 0) return []
  const least = defaultsOf('tag36h11').min_margin
  const all = (engine: Dark['engine'], from: number) =>
    dark
      .filter((one) => one.engine === engine)
      .reduce((sum, { margins }) => sum + margins.filter((margin) => margin >= from).length, 0)
  const shown = dark.filter(({ engine }) => engine === 'vedette').reduce((sum, one) => sum + one.shown, 0)
  const one = (what: string, measured: number, atLeast?: number): Row => ({
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from: `${shown} tags`,
    ...(atLeast !== undefined && { figure: { atLeast } }),
  })
  const library = all('reference', 0)
  return [
    one('confirmed tags found in real pictures made dark', all('vedette', least), library),
    one('  with no least margin', all('vedette', 0)),
    one('  by libapriltag with no least margin', library),
  ]
}

const recallTable = ({ hits, shown }: Counts): string =>
  [
    'tags found, percent of those shown whole and at least 20 px wide:',
    ['family', 'light', 'noise', ...THRESHOLDS.map((least) => `margin ${least}`)].join(' | '),
    ...[...shown].map(([key, count]) => {
      const found = hits.get(key) ?? []
      const share = (least: number) => (100 * found.filter(({ margin }) => margin >= least).length) / count
      return [...key.split(' '), ...THRESHOLDS.map((least) => share(least).toFixed(0))].join(' | ')
    }),
  ].join('\n')

const falseTable = ({ falseOnes, pictures }: Counts): string =>
  [
    `tags found where there are none, in ${pictures} pictures:`,
    ['family', 'bits corrected', ...THRESHOLDS.map((least) => `margin ${least}`), 'greatest margins'].join(' | '),
    ...APRILTAG_FAMILIES.flatMap((family) =>
      BITS.map((bits) => {
        const some = falseOnes.filter((one) => one.family === family && one.hamming === bits)
        const worst = some.toSorted((a, b) => b.margin - a.margin).slice(0, 3)
        const names = worst.map(
          ({ margin, where, id, cx, cy }) =>
            `${margin.toFixed(0)} (${where}: ${id} at ${cx.toFixed(0)}, ${cy.toFixed(0)})`,
        )
        const at = THRESHOLDS.map((least) => some.filter(({ margin }) => margin >= least).length)
        return [family, bits, ...at, names.join(', ')].join(' | ')
      }),
    ),
  ].join('\n')

/** With the defaults of the family, as the registry has them. */
const rowsOfFamily = ({ hits, shown, falseOnes, pictures }: Counts, family: TagFamily): Row[] => {
  const defaults = defaultsOf(family)
  const passes = (one: Found) => one.margin >= defaults.min_margin && one.hamming <= defaults.max_hamming
  const wrong = falseOnes.filter((one) => one.family === family && passes(one)).length
  const one = (what: string, measured: number, unit = '', from = `${pictures} pictures`): Row => ({
    what,
    unit,
    measured,
    low: measured,
    high: measured,
    from,
  })
  return [
    { ...one(`${family}: tags found where there are none`, wrong), figure: { atMost: 0 } },
    ...LIGHTS.map((light) => {
      const key = `${family} ${light} ${NOISES[0]}`
      const found = (hits.get(key) ?? []).filter(passes).length
      const count = shown.get(key) ?? 0
      return one(`  ${family} in light ${light}: found`, (100 * found) / count, '%', `${count} tags`)
    }),
  ]
}

const defaultsOf = (family: TagFamily): { min_margin: number; max_hamming: number } => {
  const planned = planGraph(graphWithTags({ families: [family] }))
  if (!planned.ok) throw new Error('the default graph cannot be planned')
  const params = planned.plan.steps.find(({ type }) => type === 'apriltag')?.params as Record<string, number[]>
  return { min_margin: params.min_margin?.[0] ?? 0, max_hamming: params.max_hamming?.[0] ?? 0 }
}
