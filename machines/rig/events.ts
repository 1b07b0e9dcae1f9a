// What is published about the robot.
import { documentEvent } from '../events/kind.ts'

/** The robot was measured again. */
export const rigChanged = documentEvent({
  kind: 'rig_changed',
  about: 'The dimensions of the robot were changed. A pose is a part of its stream, which tells of a change of it.',
  of: null,
})
