// Robots that drive fast, whose cameras take their pictures whenever they do, and say nothing themselves: rounds as in
// the service, with pictures that are on their way for different times.
import { compose, identityPose, invert, type Pose } from '../../../machines/localization/pose.ts'
import type { Round, RoundProblem } from '../../../machines/localization/round.ts'
import { Rounds } from '../../../machines/localization/rounds.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { chance } from '../../support/localization/chance.ts'
import { DEFAULT_CONFIG } from '../../support/localization/worlds.ts'
import type { Lab } from '../lab/lab.ts'
import { FIELD, FPS, type Seen, seenBy } from './robots.ts'

const FAST = { speed_m_s: 3, spin_deg_s: 180 }
/** After the stand with which a drive begins. */
const FROM_S = 6

/** All that the cameras of a robot saw, in no order. */
export interface Drive {
  readonly seed: number
  readonly seen: readonly Seen[]
}

export const drivesOf = async (lab: Lab, seeds: readonly number[], seconds: number): Promise<readonly Drive[]> => {
  const drives: Drive[] = []
  for (const seed of seeds) {
    const robot = { drive: { seed, ...FAST }, faults: 1000 + seed, runsFree: true }
    const cameras = await seenBy(robot, { from: FROM_S * FPS, every: 1, frames: seconds * FPS })
    drives.push({ seed, seen: cameras.flat() })
    lab.say(`drive ${seed}: ${cameras.flat().length} frames`)
  }
  return drives
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
): { readonly answers: readonly Answer[]; readonly refused: number } => {
  const delayOf = delay(seed)
  const coming = seen
    .map((one) => ({ ...one, cameUs: one.frame.capturedUs + delayOf() }))
    .sort((one, other) => one.cameUs - other.cameUs)
  const end = coming[Math.floor((coming.length - 1) * endsAt)]?.cameUs ?? 0
  const rounds = new Rounds({ waitUs: DEFAULT_CONFIG.round_wait_ms * 1000 })
  const solver = new LocalizationSolver({ map: FIELD, hash: 'bench', config: DEFAULT_CONFIG, revision: 1 })
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
