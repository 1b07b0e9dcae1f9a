// The poses that the robot's heading adds to a frame.
import type { Result } from '../engine/result.ts'
import { type Pose, poseAt, rotate } from '../localization/pose.ts'
import { column, firstOfKind, isPose } from './rows.ts'

const ROBOT = column('field_pose', 'heading_field_robot_x_m')

/** The robot on the field, level, with the yaw that it said; undefined: it said none, or no place fits. */
export const robotByHeading = (result: Result): Pose | undefined => {
  const solved = firstOfKind(result, 'field_pose')
  if (!solved || solved.count === 0 || !isPose(result.data, solved.offset + ROBOT)) return undefined
  return poseAt(result.data, solved.offset + ROBOT)
}

/**
 * The same by one tag: turned as that one is. tagInField: where it hangs. tagInRobot: right, down and forward of the
 * robot's origin.
 */
export const byOneTag = (turned: Pose, tagInField: Pose, tagInRobot: Pose): Pose => {
  const [x, y, z] = rotate(turned, tagInRobot.z, -tagInRobot.x, -tagInRobot.y)
  return { ...turned, x: tagInField.x - x, y: tagInField.y - y, z: tagInField.z - z }
}
