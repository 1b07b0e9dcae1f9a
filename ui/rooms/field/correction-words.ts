// What a survey says, in words: how far something is off, in which direction, and how sure that is.
import type { Documents } from '../../api/client.ts'
import { wrapDeg } from '../../drawing/scene-pose.ts'
import type { Survey } from '../../state/surveys.ts'
import { counted, figureOf } from '../../words.ts'

/** A tag or a camera, as a survey finds it. */
export type Proposed = Documents['ProposedTag'] | Documents['ProposedCamera']

const CM = 100

/** `5.0 ± 0.3 cm off and turned by 0.4 ± 0.2°` */
export const amountOf = ({ moved_m, moved_std_m, turned_deg, turned_std_deg }: Proposed): string =>
  `${figureOf(moved_m * CM, 1)} ± ${figureOf(moved_std_m * CM, 1)} cm off and turned by ${figureOf(
    turned_deg,
    1,
  )} ± ${figureOf(turned_std_deg, 1)}°`

const SMALL_M = 0.0005
const SMALL_DEG = 0.05

const signed = (value: number, digits: number): string => `${value > 0 ? '+' : ''}${figureOf(value, digits)}`

/** Of the frame in which it stands: `y +5.0 cm, yaw −0.4°`; what is as it was is left out. */
export const directionOf = ({ before, after }: Pick<Proposed, 'before' | 'after'>): string => {
  const ways = (['x', 'y', 'z'] as const).flatMap((axis) => {
    const by = after[`${axis}_m`] - before[`${axis}_m`]
    return Math.abs(by) < SMALL_M ? [] : [`${axis} ${signed(by * CM, 1)} cm`]
  })
  const turns = (['roll', 'pitch', 'yaw'] as const).flatMap((angle) => {
    const by = wrapDeg(after[`${angle}_deg`] - before[`${angle}_deg`])
    return Math.abs(by) < SMALL_DEG ? [] : [`${angle} ${signed(by, 1)}°`]
  })
  return [...ways, ...turns].join(', ')
}

/** How many things somebody should look at. */
export const wrongOf = ({ status: { wrong_tags, wrong_cameras } }: Survey): string => {
  const parts = [
    ...(wrong_tags > 0 ? [counted(wrong_tags, 'tag')] : []),
    ...(wrong_cameras > 0 ? [counted(wrong_cameras, 'camera')] : []),
  ]
  return parts.length === 0 ? 'nothing is wrong' : `${parts.join(' and ')} off`
}

/** The day and the time at which it was made. */
export const momentOf = ({ spec: { made_at_ms } }: Survey): string =>
  new Date(made_at_ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
