// What is published about the robot.
import { documentEvent } from '../events/kind.ts'
import Type from '../schema/type.ts'

/** The robot was measured again. */
export const rigChanged = documentEvent({
  kind: 'rig_changed',
  about: 'The dimensions of the robot were changed. A pose is a part of its stream, which tells of a change of it.',
  of: null,
})

/** A pose came for a camera that is not here, or was given to a stream. */
export const pendingPoseChanged = documentEvent({
  kind: 'pending_pose_changed',
  about: 'A pose came with a profile for a camera that is not here; or, deleted, a stream has it now.',
  of: {
    field: 'camera_uid',
    id: Type.String({ maxLength: 64, description: 'The camera, as in the layout.' }),
    example: 'cam-k3f7q2ma',
  },
})
