// The field in words, for those who do not see it.
import { figureOf } from '../words.ts'
import type { FieldRobot } from './field-robot.ts'
import { numbersOf } from './field-tags.ts'
import { yawOf } from './scene-pose.ts'

const listOf = (ids: readonly number[]): string =>
  ids.length < 2 ? ids.join() : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`

const ofRobot = ({ name, pose, seen = [], words }: FieldRobot): string => {
  if (words !== undefined) return words
  const tags = seen.length === 0 ? 'sees no tag' : `sees tag${seen.length > 1 ? 's' : ''} ${listOf(numbersOf(seen))}`
  if (!pose) return `${name} ${tags} and does not know where the robot is.`
  const { x_m, y_m } = pose
  return `${name} has the robot at x ${figureOf(x_m, 2)} m, y ${figureOf(y_m, 2)} m, heading ${figureOf(
    yawOf(pose),
    1,
  )} degrees, and ${tags}.`
}

/** Says what is drawn: where the robot is, by each stream, and what that sees. */
export const describeField = (map: { readonly name: string }, robots: readonly FieldRobot[]): string =>
  [`${map.name} from above.`, ...(robots.length > 0 ? robots.map(ofRobot) : ['No robot on it.'])].join(' ')
