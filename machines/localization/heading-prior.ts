// The robot's heading, as one more number about a pose that the tags alone have given first: so a heading that
// contradicts them is seen, and pulls at nothing.
import { add, at } from './arrays.ts'
import { wrapAngle } from './planar.ts'
import { moveState, STATE_LENGTH, yawOfState } from './pose-state.ts'
import type { Refinement } from './refinement.ts'
import type { Heading, RoundProblem } from './round.ts'

/** A step beyond that is no straight line any more: metres and radians. */
const MAX_STEP_M = 0.1
const MAX_STEP_RAD = 0.03

const YAW = 5

const gains = new Float64Array(6)
const step = new Float64Array(6)
const moved = new Float64Array(STATE_LENGTH)

/** undefined: there is none that says anything. */
export const headingOf = ({ heading }: RoundProblem): Heading | undefined =>
  heading && Number.isFinite(heading.yaw) && heading.std > 0 && heading.std < 10 ? heading : undefined

/** Squared deviation between heading and tags. free: without the heading. */
export const headingChi2 = ({ state, covariance }: Refinement, { yaw, std }: Heading): number =>
  wrapAngle(yaw - yawOfState(state)) ** 2 / (at(covariance, 7 * YAW) + std * std)

/** Moves the pose by the heading, and takes from its deviations what the heading says. False: that is too far. */
export const applyHeading = ({ state, covariance, pixelCovariance }: Refinement, { yaw, std }: Heading): boolean => {
  const off = wrapAngle(yaw - yawOfState(state))
  const variance = at(covariance, 7 * YAW) + std * std
  for (let k = 0; k < 6; k++) {
    gains[k] = at(covariance, 6 * k + YAW) / variance
    step[k] = at(gains, k) * off
  }
  if (!(Math.hypot(at(step, 0), at(step, 1), at(step, 2)) < MAX_STEP_M)) return false
  if (!(Math.hypot(at(step, 3), at(step, 4), at(step, 5)) < MAX_STEP_RAD)) return false
  moveState(state, step, moved)
  state.set(moved)
  for (let row = 0; row < 6; row++)
    for (let column = 0; column < 6; column++)
      add(covariance, 6 * row + column, -at(gains, row) * at(gains, column) * variance)
  leaveToHeading(pixelCovariance)
  return true
}

/** (1 - gains e') P (1 - gains e')', where e is the yaw. */
const leaveToHeading = (matrix: Float64Array): void => {
  for (let column = 0; column < 6; column++) {
    const yaw = at(matrix, 6 * YAW + column)
    for (let row = 0; row < 6; row++) add(matrix, 6 * row + column, -at(gains, row) * yaw)
  }
  for (let row = 0; row < 6; row++) {
    const yaw = at(matrix, 6 * row + YAW)
    for (let column = 0; column < 6; column++) add(matrix, 6 * row + column, -at(gains, column) * yaw)
  }
}
