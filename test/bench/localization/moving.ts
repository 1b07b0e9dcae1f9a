// Robots that drive fast, whose cameras take their pictures whenever they do, and say nothing themselves: rounds as in
// the service, with pictures that are on their way for different times.
import { rowsOf } from '../../../machines/engine/result.ts'
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import { compose, identityPose, invert, type Pose, poseAt } from '../../../machines/localization/pose.ts'
import type { Round, RoundProblem } from '../../../machines/localization/round.ts'
import { Rounds } from '../../../machines/localization/rounds.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { type Steps, stepped, steppingProgram } from '../../support/engine/stepped.ts'
import { chance } from '../../support/localization/chance.ts'
import { DEFAULT_CONFIG } from '../../support/localization/worlds.ts'
import type { Lab } from '../lab/lab.ts'
import { distanceOf } from './errors.ts'
import { kept } from './kept.ts'
import { FIELD, FPS, type Robot, type Seen, seenBy } from './robots.ts'

const FAST = { speed_m_s: 3, spin_deg_s: 180 }
/** Faster than that all the while. */
export const FAST_M_S = 2.5
/** What goes before, so that a solver knows how the robot moves. */
const LEAD_IN_S = 0.3
const SEARCHED_S = 120
const SEARCH_FPS = 10

/** All that the cameras of a robot saw, in no order. */
export interface Drive {
  readonly seed: number
  readonly seen: readonly Seen[]
}

/** isFlawless: nothing is otherwise than it is said to be. */
export const drivesOf = async (
  lab: Lab,
  seeds: readonly number[],
  seconds: number,
  isFlawless = false,
): Promise<readonly Drive[]> => {
  const drives: Drive[] = []
  for (const seed of seeds) {
    const robot = { drive: { seed, ...FAST }, faults: 1000 + seed, isFlawless, runsFree: true }
    const fromS = await fastFrom(robot, seconds)
    const frames = Math.round((LEAD_IN_S + seconds) * FPS)
    const cameras = await seenBy(robot, { from: Math.round((fromS - LEAD_IN_S) * FPS), every: 1, frames })
    drives.push({ seed, seen: cameras.flat() })
    lab.say(`drive ${seed}: ${cameras.flat().length} frames`)
  }
  return drives
}

/** When the robot is fast for so long for the first time, by the smallest camera that there is. */
const fastFrom = async ({ drive }: Robot, seconds: number): Promise<number> => {
  const source = { backend: 'synthetic', width_px: 64, height_px: 64, fps: SEARCH_FPS, motion: 'drive', drive } as const
  const steps: Steps = { manifest: { source }, map: FIELD, frames: SEARCHED_S * SEARCH_FPS }
  const places = await kept(['places', JSON.stringify(steps), await steppingProgram()], async () =>
    (await stepped(steps)).map((result) => poseAt(result.data, rowsOf(result, 'truth')?.offset ?? 0)),
  )
  let since = 0
  for (let n = 1; n < places.length; n++) {
    if (SEARCH_FPS * distanceOf(places[n] as Pose, places[n - 1] as Pose) < FAST_M_S) since = n
    if (n - since >= seconds * SEARCH_FPS) return since / SEARCH_FPS
  }
  throw new Error(`drive ${drive.seed} is never fast for ${seconds} s`)
}

/** A round that was solved, and what there is to know of it. */
export interface Answer {
  readonly round: Round
  readonly solved: Solved
  readonly truth: Pose
  /** Metres in a second. */
  readonly speed: number
}

/** From when a frame was exposed until it is here, microseconds. */
export type Delay = (seed: number) => () => number

/** As in a service that does nothing else. */
export const usualDelay: Delay = (seed) => {
  const { even } = chance(seed)
  return () => 20_000 + 30_000 * even()
}

/** As on a bad day: each by up to 80 ms, so that they come in no order. */
export const badDelay: Delay = (seed) => {
  const { even } = chance(seed)
  return () => 20_000 + 80_000 * even()
}

/** Solves a drive as it comes. endsAt: of the share of the drive, from when on its first camera gives nothing more. */
export const driven = (
  { seed, seen }: Drive,
  delay: Delay,
  endsAt = 1,
  map: FieldMap = FIELD,
): { readonly answers: readonly Answer[]; readonly refused: number } => {
  const delayOf = delay(seed)
  const coming = seen
    .map((one) => ({ ...one, cameUs: one.frame.capturedUs + delayOf() }))
    .sort((one, other) => one.cameUs - other.cameUs)
  const end = coming[Math.floor((coming.length - 1) * endsAt)]?.cameUs ?? 0
  const rounds = new Rounds({ waitUs: DEFAULT_CONFIG.round_wait_ms * 1000 })
  const solver = new LocalizationSolver({ map, hash: 'bench', config: DEFAULT_CONFIG, revision: 1 })
  const answers: Answer[] = []
  const take = (round: Round | undefined) => {
    if (round) answers.push({ round, solved: solver.solve(round), ...truthAt(seen, round) })
  }
  const ids = [...new Set(seen.map(({ frame }) => frame.streamId))]
  rounds.setStreams(ids)
  for (const { frame, cameUs } of coming) {
    for (let dueUs = rounds.nextDueUs(); dueUs !== undefined && dueUs <= cameUs; dueUs = rounds.nextDueUs())
      take(rounds.due(Math.max(dueUs, 0)))
    if (cameUs > end && frame.streamId === ids[0]) continue
    take(rounds.add(frame, cameUs))
  }
  const { old, ahead, repeated, late } = rounds.refused
  return { answers, refused: old + ahead + repeated + late }
}

/** Of the newest frame; its speed from the frame before of the same camera. */
const truthAt = (seen: readonly Seen[], { frames }: Round): Pick<Answer, 'truth' | 'speed'> => {
  const newest = frames.at(-1)
  const at = seen.findIndex(({ frame }) => frame === newest)
  const { truth, frame } = seen[at] as Seen
  const before = seen[at - 1]
  const isSame = before?.frame.streamId === frame.streamId
  const speed = isSame
    ? (1e6 * Math.hypot(truth.x - before.truth.x, truth.y - before.truth.y)) /
      (frame.capturedUs - before.frame.capturedUs)
    : 0
  return { truth, speed }
}

/** The same round by a robot of whose motion between the exposures everything is known. */
export const withTrueMotion = (seen: readonly Seen[], { round, truth }: Answer): RoundProblem => ({
  round,
  motions: round.frames.map((each) => {
    const there = seen.find(({ frame }) => frame === each)?.truth
    return there ? compose(invert(truth), there) : identityPose
  }),
  predicted: undefined,
  heading: undefined,
  moves: true,
})
