// Where the robot may be at the time of a round, before it is solved. It is a start for the solve, and tells which of
// two mirrored poses is meant; it is no measurement.

import type { PoseFilter } from './filter.ts'
import type { Motion } from './motion.ts'
import { MAX_COAST_US } from './own-speed.ts'
import { poseOfPlanar } from './planar.ts'
import { deviationsOf } from './planar-covariance.ts'
import { compose, identityPose, normalise, type Pose } from './pose.ts'

/** A pose of the last round that gave one. */
export interface LastPose {
  readonly pose: Pose
  readonly atUs: number
  /** x, y in metres, yaw in radians. */
  readonly std: readonly [number, number, number]
}

/** std: x, y in metres, yaw in radians. */
export interface Prediction {
  readonly pose: Pose
  readonly std: readonly [number, number, number]
}

/** A place where the robot was longer ago says nothing. */
const MAX_AGE_US = 500_000

/** How fast a robot drives and turns of which nothing else is known, and how much that changes: one deviation. */
const SPEED_M_S = 2
const TURN_RATE = 3
const SPEED_CHANGE_M_S = 0.5
const TURN_RATE_CHANGE = 0.8

/** By the filter, where it has odometry; else by the last pose, carried on where its motion is known. */
export const predict = (
  atUs: number,
  by: { readonly filter: PoseFilter; readonly motion: Motion; readonly last: LastPose | undefined },
): Prediction | undefined => {
  const fused = by.filter.at(atUs)
  if (fused) return { pose: poseOfPlanar(fused.place), std: deviationsOf(fused.covariance) }
  const { last } = by
  if (!last || atUs - last.atUs > MAX_AGE_US) return undefined
  const step = atUs - last.atUs > MAX_COAST_US ? undefined : by.motion.between(last.atUs, atUs)
  const seconds = (atUs - last.atUs) / 1e6
  const [x, y, yaw] = last.std
  const drive = seconds * (step ? SPEED_CHANGE_M_S : SPEED_M_S)
  const turn = seconds * (step ? TURN_RATE_CHANGE : TURN_RATE)
  return {
    pose: normalise(compose(last.pose, step ?? identityPose)),
    std: [Math.hypot(x, drive), Math.hypot(y, drive), Math.hypot(yaw, turn)],
  }
}
