// Where a camera sits on the robot, of what two cameras see at about the same time.
import type { Outputs } from '../api/outputs.ts'
import { poseIn } from './field-robot.ts'
import { type AnglePose, compose, invert, toAngles } from './scene-pose.ts'

/**
 * The mount of a camera. mine: found in its frame; theirs: in that of a camera whose mount is right. It is as right as
 * the robot stands still between the two frames. undefined: one of them does not know where it is.
 */
export const seenMount = (mine: Outputs, theirs: Outputs): AnglePose | undefined => {
  const camera = poseIn(mine)?.field_camera
  const robot = poseIn(theirs)?.field_robot
  return camera && robot && toAngles(compose(invert(robot), camera))
}
