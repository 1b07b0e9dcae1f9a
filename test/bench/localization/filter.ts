// What the filter with odometry knows of now, and how rounds of a robot that drives compare with one that stands:
// simulated drives, from corners to what is published, as frames and odometry come.
import {
  Drive,
  type DriveOptions,
  figuresOf,
  type Off,
  offOfFused,
  offOfOdometry,
  offOfRounds,
  offOfStill,
  type RunOptions,
  runDrive,
} from '../../support/localization/drives.ts'
import { DEFAULT_CONFIG, USUAL_FAULTS } from '../../support/localization/worlds.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const SECONDS = 60
const FAST: Partial<DriveOptions> = { faults: USUAL_FAULTS, speed_m_s: 3, turn_deg_s: 180, hidden: 0, shove_m: 0 }
const FAST_SECONDS = 30

const WITHOUT_GATE = { ...DEFAULT_CONFIG, gate: { ...DEFAULT_CONFIG.gate, fused_chi2: Number.POSITIVE_INFINITY } }

/** As a sample that is put at the time of the one before it: 20 ms late. */
const NOT_ALIGNED: RunOptions = { changed: (sample) => ({ ...sample, atUs: sample.atUs + 20_000 }) }

type Figures = Omit<ReturnType<typeof figuresOf>, 'within'> & { readonly within: readonly number[] }

const AXES = { rms: 'rms', p50: 'median', p95: '95 of 100', max: 'worst' } as const

const rowsOf = (
  what: string,
  found: Figures,
  from: string,
  wanted: Partial<Record<keyof typeof AXES, number>> = {},
) => [
  ...(Object.keys(AXES) as (keyof typeof AXES)[]).map((axis): Row => {
    const atMost = wanted[axis]
    const figure = atMost === undefined ? {} : { figure: { atMost } }
    const value = found[axis]
    return { what: `${what}: ${AXES[axis]}`, unit: 'cm', measured: value, low: value, high: value, from, ...figure }
  }),
  ...found.within.map((share, n): Row => {
    const name = `${what}: x, y and yaw within ${n + 1} of their deviations`
    return { what: name, unit: '%', measured: share, low: share, high: share, from }
  }),
]

const say = (lab: Lab, what: string, { rms, p50, p95, max, yawRms, within }: Figures): void => {
  const distances = [rms, p50, p95, max].map((value) => value.toFixed(1)).join(' / ')
  const shares = within.map((value) => value.toFixed(1)).join(' / ')
  lab.say(`${what}: rms / p50 / p95 / max ${distances} cm, yaw rms ${yawRms.toFixed(2)}; within ${shares} %`)
}

export const localizationFilter: Measurement = async (lab) => {
  const offs: Record<'odometry' | 'filter' | 'ungated' | 'unaligned' | 'rounds', Off[]> = {
    odometry: [],
    filter: [],
    ungated: [],
    unaligned: [],
    rounds: [],
  }
  let [rounds, refused] = [0, 0]
  for (const seed of SEEDS) {
    const drive = new Drive({ seed, seconds: SECONDS })
    const run = runDrive(drive)
    rounds += run.rounds.length
    refused += run.rounds.filter(({ tags }) => tags.some(({ reason }) => reason === 'against_prediction')).length
    offs.odometry.push(...offOfOdometry(drive))
    offs.filter.push(...offOfFused(run))
    offs.rounds.push(...offOfRounds(drive, run))
    offs.ungated.push(...offOfFused(runDrive(drive, { config: WITHOUT_GATE })))
    offs.unaligned.push(...offOfFused(runDrive(drive, NOT_ALIGNED)))
    lab.say(`drive ${seed} of ${SEEDS.length}`)
  }
  const from = `${SEEDS.length} drives of ${SECONDS} s, four cameras of 30 fps`
  const found = {
    odometry: figuresOf(offs.odometry),
    filter: figuresOf(offs.filter),
    rounds: figuresOf(offs.rounds),
    ungated: figuresOf(offs.ungated),
    unaligned: figuresOf(offs.unaligned),
  }
  for (const [what, figures] of Object.entries(found)) say(lab, what, figures)
  const share = (100 * refused) / rounds
  return [
    ...rowsOf('odometry alone, now', { ...found.odometry, within: [] }, from), // it says no deviations
    ...rowsOf('filter, now', found.filter, from, { rms: 2.6, p50: 1.4, p95: 4.1, max: 22 }),
    ...rowsOf('filter without gate, now', found.ungated, from),
    ...rowsOf('filter, odometry 20 ms late, now', found.unaligned, from),
    ...rowsOf('rounds, at their own time', found.rounds, from),
    { what: 'rounds that the filter refuses', unit: '%', measured: share, low: share, high: share, from },
    ...fast(lab),
  ]
}

/** Nothing from the robot: how much worse than if it stood. */
const fast = (lab: Lab): readonly Row[] =>
  [30, 60].map((fps): Row => {
    const offs: Record<'own' | 'odometry' | 'still', Off[]> = { own: [], odometry: [], still: [] }
    for (const seed of SEEDS) {
      const drive = new Drive({ seed, seconds: FAST_SECONDS, fps, ...FAST })
      offs.own.push(...offOfRounds(drive, runDrive(drive, { odometry: false })))
      offs.odometry.push(...offOfRounds(drive, runDrive(drive)))
      offs.still.push(...offOfStill(drive))
    }
    const [own, odometry, still] = [figuresOf(offs.own), figuresOf(offs.odometry), figuresOf(offs.still)]
    say(lab, `fast, ${fps} fps, by its own speed`, own)
    say(lab, `fast, ${fps} fps, by odometry`, odometry)
    say(lab, `the same, standing`, still)
    return {
      what: `rounds at 3 m/s and 180 degrees/s, ${fps} fps, nothing from the robot: median above that of one standing`,
      unit: 'cm',
      figure: { atMost: 1.5 },
      measured: own.p50 - still.p50,
      low: own.p50 - still.p50,
      high: own.p50 - still.p50,
      from: `${SEEDS.length} drives of ${FAST_SECONDS} s`,
    }
  })
