// Robots that hardly move, of which all cameras take their pictures at once: what joins cameras, and nothing else. Many
// places, and another robot with other faults every few of them.
import type { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { identityPose, type Pose } from '../../../machines/localization/pose.ts'
import type { RoundProblem } from '../../../machines/localization/round.ts'
import { chance } from '../../support/localization/chance.ts'
import { DEFAULT_CONFIG } from '../../support/localization/worlds.ts'
import type { Lab } from '../lab/lab.ts'
import { distanceOf, errorOf, isUsual, type PoseOff } from './errors.ts'
import { type Seen, seenBy } from './robots.ts'

const SLOW = { speed_m_s: 0.4, spin_deg_s: 20 }
const PLACES = 10
const EVERY = 51 // frames of 30 in a second: another place
const RAD = Math.PI / 180

/** What all cameras saw at one moment. */
export type Moment = readonly Seen[]

/** Of one seed. */
export interface Stand {
  readonly seed: number
  readonly moments: readonly Moment[]
}

/** robots: for each seed, one after the other along its drive. */
export const standsOf = async (lab: Lab, seeds: readonly number[], robots: number): Promise<readonly Stand[]> => {
  const stands: Stand[] = []
  for (const seed of seeds) {
    const moments: Moment[] = []
    for (let n = 0; n < robots; n++) {
      const robot = { drive: { seed, ...SLOW }, faults: 100 * seed + n, runsFree: false }
      const cameras = await seenBy(robot, { from: n * PLACES * EVERY, every: EVERY, frames: PLACES })
      for (let place = 0; place < PLACES; place++) moments.push(cameras.map((frames) => frames[place] as Seen))
    }
    stands.push({ seed, moments })
    lab.say(`seed ${seed}: ${moments.length} moments`)
  }
  return stands
}

/** A robot that stands, seen by some of its cameras. heading: whether it says one, half a degree off (one sigma). */
export const problemOf = (moment: Moment, cameras: number, heading?: () => number): RoundProblem => {
  const frames = moment.slice(0, cameras).map(({ frame }) => frame)
  const std = DEFAULT_CONFIG.heading.std_deg * RAD
  return {
    round: { frames, capturedUs: (frames[0] as Seen['frame']).capturedUs },
    motions: frames.map(() => identityPose),
    predicted: undefined,
    heading: heading && { yaw: yawOf(truthOf(moment)) + std * heading(), std },
    moves: false,
  }
}

export const truthOf = (moment: Moment): Pose => (moment[0] as Seen).truth

const yawOf = ({ qw, qx, qy, qz }: Pose): number => Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz))

/** Errors of the poses that are given to a robot, by seed. */
export const jointErrors = (
  solver: JointSolver,
  stands: readonly Stand[],
  { cameras, heading }: { readonly cameras: number; readonly heading: boolean },
): readonly (readonly PoseOff[])[] =>
  stands.map(({ seed, moments }) => {
    const { normal } = chance(seed)
    return moments.flatMap((moment) => {
      const { solved } = solver.solve(problemOf(moment, cameras, heading ? normal : undefined))
      const isSure = solved && solved.stdXyM <= DEFAULT_CONFIG.gate.max_std_m
      return isSure ? [errorOf(solved, truthOf(moment))] : []
    })
  })

/** Of the camera that sees most tags, as the engine has it, with the usual rejects. */
export const bestCameraErrors = (stands: readonly Stand[], cameras: number): readonly (readonly number[])[] =>
  stands.map(({ moments }) =>
    moments.flatMap((moment) => {
      const poses = moment.slice(0, cameras).flatMap(({ alone }) => (alone && isUsual(alone) ? [alone] : []))
      const [best] = poses.sort((one, other) => other.tagCount - one.tagCount)
      return best ? [distanceOf(best.pose, truthOf(moment))] : []
    }),
  )

/** Of each camera by itself: the one whose median is least. */
export const luckiestCameraErrors = (
  stands: readonly Stand[],
  cameras: number,
): readonly (readonly (readonly number[])[])[] =>
  Array.from({ length: cameras }, (_, n) =>
    stands.map(({ moments }) =>
      moments.flatMap((moment) => {
        const { alone, truth } = moment[n] as Seen
        return alone && isUsual(alone) ? [distanceOf(alone.pose, truth)] : []
      }),
    ),
  )
