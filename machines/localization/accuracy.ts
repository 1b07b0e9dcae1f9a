// How far a solved pose is from the truth that came with the same frame.

import { RESULT_FIELDS, type Result, rowsOf } from '../engine/result.ts'
import { compose, invert, isRotated, poseAt } from './pose.ts'

const FIELD_ROBOT = RESULT_FIELDS.field_pose.indexOf('field_robot_x_m')

/** Distance in metres and angle in degrees between two robot poses. */
export interface PoseError {
  readonly distance_m: number
  readonly angle_deg: number
}

/** undefined when the frame brought no truth, or no pose was solved. posePort: the output of kind field_pose. */
export const poseError = (result: Result, posePort = 'pose'): PoseError | undefined => {
  const truth = rowsOf(result, 'truth')
  const solved = rowsOf(result, posePort)
  if (!truth?.count || !solved?.count) return undefined
  const robot = poseAt(result.data, solved.offset + FIELD_ROBOT)
  if (!isRotated(robot)) return undefined
  const difference = compose(invert(poseAt(result.data, truth.offset)), robot)
  return {
    distance_m: Math.hypot(difference.x, difference.y, difference.z),
    angle_deg: (2 * Math.acos(Math.min(1, Math.abs(difference.qw))) * 180) / Math.PI,
  }
}
