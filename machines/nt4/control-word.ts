// What the robot says of itself over NT4: whether it is enabled.

/** Where robots publish the word of their field control: an integer, in the lowest bit of which they are enabled. */
export const CONTROL_WORD_TOPIC = '/FMSInfo/FMSControlData'

/** Whether the robot is enabled. */
export const isEnabled = (word: unknown): boolean =>
  typeof word === 'bigint' ? (word & 1n) === 1n : typeof word === 'number' && (word & 1) === 1

/**
 * How long a robot counts as enabled that was, and is not heard any more: its radio may restart in the middle of a
 * match, which takes two minutes and a half.
 */
export const ROBOT_WORD_HOLDS_MS = 180_000
