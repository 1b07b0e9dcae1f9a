// In how many of sixty rendered pictures the chart is found, and how far colours are off after the matrix that was
// solved. Twice: the seeds of the second sixty nobody looked at while the search was made. And in how many of sixty
// pictures without a chart one is found.
import * as Effect from 'effect/Effect'
import { isFault } from '../../../machines/errors/fault.ts'
import type { ChartLook } from '../../../machines/ipa/chart-look.ts'
import { solveCcm } from '../../../machines/ipa/solve-ccm.ts'
import { chartProgram } from '../../../native/ipa/chart-program.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'
import { CAMERA_CCM, type RenderedChart, renderChart } from '../../support/colour/rendered-chart.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'
import { EMPTY_SEED, FIRST_SEEDS, SCENES, sceneOf } from './scenes.ts'

/** Of a step from patch to patch: beyond it a chart is said to be at another place. */
const WRONG = 0.25

const TONE = { curve: 'srgb', black: 0, gammaCurve: [] } as const

const finder = chartProgram(linuxPrograms())

export const colourChart: Measurement = async (lab) => {
  const rows: Row[] = []
  for (const seed of FIRST_SEEDS) rows.push(...(await sixty(lab, seed)))
  return [...rows, await withoutChart(lab)]
}

const look = (png: Buffer) =>
  Effect.runPromise(Effect.match(finder.find(png, null), { onSuccess: (each) => each, onFailure: (fault) => fault }))

/** Coloured rectangles alone. */
const withoutChart = async (lab: Lab): Promise<Row> => {
  let wrong = 0
  for (let seed = EMPTY_SEED; seed < EMPTY_SEED + SCENES; seed += 1) {
    const { png } = renderChart({ ...sceneOf(seed), isEmpty: true, hasClutter: true })
    const found = await look(png)
    if (isFault(found)) continue
    lab.say(`seed ${seed}: a chart where there is none`)
    wrong += 1
  }
  const from = `${SCENES} pictures, seeds ${EMPTY_SEED} to ${EMPTY_SEED + SCENES - 1}`
  const what = 'charts found in pictures without one'
  return { what, unit: '', measured: wrong, low: wrong, high: wrong, from, figure: { atMost: 0 } }
}

/** How far the corner that is farthest off is, in steps. */
const farthest = ({ corners }: ChartLook, { corners: truth }: RenderedChart): number => {
  const [[x0, y0] = [0, 0], [x1, y1] = [0, 0]] = truth
  const step = Math.hypot(x1 - x0, y1 - y0) / 6
  return (
    Math.max(...corners.map(({ x, y }, at) => Math.hypot(x - (truth[at]?.[0] ?? 0), y - (truth[at]?.[1] ?? 0)))) / step
  )
}

const sixty = async (lab: Lab, first: number): Promise<readonly Row[]> => {
  let [right, wrong] = [0, 0]
  const [before, after, entries]: [number[], number[], number[]] = [[], [], []]
  for (let seed = first; seed < first + SCENES; seed += 1) {
    const scene = sceneOf(seed)
    const truth = renderChart(scene)
    const found = await look(truth.png)
    const place = `seed ${seed}, ${scene.share?.toFixed(2)} wide, tilted by ${scene.tiltDeg?.toFixed(0)}`
    if (isFault(found)) {
      lab.say(`${place}: ${found.detail}`)
      continue
    }
    const off = farthest(found, truth)
    if (off > WRONG) {
      lab.say(`${place}: ${off.toFixed(2)} steps off`)
      wrong += 1
      continue
    }
    right += 1
    const solved = solveCcm(found, TONE, 'after_2014')
    before.push(solved.mean_before)
    after.push(solved.mean_after)
    entries.push(Math.max(...solved.ccm.map((each, at) => Math.abs(each - (CAMERA_CCM[at] as number)))))
  }
  const from = `${SCENES} pictures, seeds ${first} to ${first + SCENES - 1}`
  const count = (what: string, measured: number, figure: Row['figure']): Row => ({
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from,
    ...(figure && { figure }),
  })
  const overAll = (what: string, all: readonly number[], figure?: Row['figure']): Row => ({
    what,
    unit: 'CIEDE2000',
    measured: all.reduce((sum, each) => sum + each, 0) / all.length,
    low: Math.min(...all),
    high: Math.max(...all),
    from,
    ...(figure && { figure }),
  })
  return [
    count('charts found', right, { atLeast: 57 }),
    count('charts found where they are not', wrong, { atMost: 0 }),
    overAll('difference of colours after, mean', after, { atMost: 1 }),
    overAll('  the same before', before),
    { ...overAll('  entry of the matrix that is farthest off', entries), unit: '' },
  ]
}
