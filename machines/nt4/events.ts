// What is published about the link to the robot.
import { documentEvent } from '../events/kind.ts'

/** The NT4 settings were changed. */
export const nt4Changed = documentEvent({
  kind: 'nt4_changed',
  about: 'The settings of the link to the robot were changed.',
  of: null,
})
