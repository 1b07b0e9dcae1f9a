// Guided captures by a simulated hand: how many pictures it takes until the verdict is good, and how often the board
// has to be held somewhere for that. What looks for the next view, the rules, the solver and the verdict are the real
// ones.
import { type GuidedRun, guidedRun } from '../../support/calibration/guided-run.ts'
import { type Hand, type SimulatedCamera, USUAL_HAND } from '../../support/calibration/simulated-hand.ts'
import { TRUE_LENS } from '../../support/calibration/simulated-set.ts'
import type { Measurement } from '../lab/lab.ts'
import { quantile, type Row } from '../lab/row.ts'

const RUNS = 40
const MAX_PICTURES = 12
const NINE_OF_TEN = 0.9

const CAMERAS: Readonly<Record<string, SimulatedCamera>> = {
  '1280x800, 71 degrees': { width_px: 1280, height_px: 800, lens: TRUE_LENS },
  '640x480, 50 degrees': { width_px: 640, height_px: 480, lens: [680, 680, 313, 221, 0.05, -0.2, 0.001, 0, 0.1] },
  '1280x720, 105 degrees': { width_px: 1280, height_px: 720, lens: [620, 621, 650, 350, -0.25, 0.07, 0, 0.001, 0] },
}

const TWICE_AS_CLUMSY: Hand = {
  aside: 2 * USUAL_HAND.aside,
  farther: 2 * USUAL_HAND.farther,
  turned_deg: 2 * USUAL_HAND.turned_deg,
  tremor_px: USUAL_HAND.tremor_px,
}

export const guidedCapture: Measurement = async (lab): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (const [hand, named] of [
    [USUAL_HAND, ''],
    [TWICE_AS_CLUMSY, ', a hand twice as clumsy'],
  ] as const)
    for (const [name, camera] of Object.entries(CAMERAS)) {
      const runs: GuidedRun[] = []
      for (let seed = 1; seed <= RUNS; seed += 1) runs.push(await guidedRun(camera, seed, hand))
      rows.push(...rowsOf(`${name}${named}`, runs, camera, hand === USUAL_HAND))
      lab.say(`${name}${named} done`)
    }
  return rows
}

const rowsOf = (what: string, runs: readonly GuidedRun[], { lens }: SimulatedCamera, isJudged: boolean): Row[] => {
  // one that does not end well never does
  const pictures = runs.map((run) => (run.judgement.verdict === 'good' ? run.pictures : Number.POSITIVE_INFINITY))
  const over = (values: readonly number[]) => ({
    measured: quantile(values, NINE_OF_TEN),
    low: Math.min(...values),
    high: Math.max(...values),
    from: `${runs.length} runs`,
  })
  return [
    {
      what: `guided capture, ${what}: pictures until the verdict is good, nine of ten runs`,
      unit: '',
      ...(isJudged && { figure: { atMost: MAX_PICTURES } }),
      ...over(pictures),
    },
    { what: '  how often the board was held somewhere', unit: '', ...over(runs.map(({ tries }) => tries)) },
    {
      what: '  fx off by',
      unit: '%',
      ...over(runs.map(({ fx_px }) => Math.abs(fx_px / lens[0] - 1) * 100)),
    },
  ]
}
