// How far off a pose of another program may be, as it is sent.
import type { Static } from 'typebox'
import Type from '../../schema/type.ts'
import type { SixNumbers } from '../solution.ts'

/** Smaller than any instrument, and larger than any field. */
const MIN_STD = 1e-4
const MAX_STD = 100

const std = (description: string) => Type.Number({ minimum: MIN_STD, maximum: MAX_STD, description })

/** Standard deviations, all six. */
export const SentDeviations = Type.Object(
  {
    x_m: std('Along x.'),
    y_m: std('Along y.'),
    z_m: std('Along z.'),
    roll_deg: std('About x.'),
    pitch_deg: std('About y.'),
    yaw_deg: std('About z.'),
  },
  {
    additionalProperties: false,
    title: 'SentDeviations',
    description: 'How far off a pose may be: standard deviations along and about the axes that it is given in.',
  },
)
export type SentDeviations = Static<typeof SentDeviations>

const RAD = Math.PI / 180

/** In metres and radians, none below its floor. */
export const sixDeviations = (given: SentDeviations, floor: SentDeviations): SixNumbers => [
  Math.max(given.x_m, floor.x_m),
  Math.max(given.y_m, floor.y_m),
  Math.max(given.z_m, floor.z_m),
  Math.max(given.roll_deg, floor.roll_deg) * RAD,
  Math.max(given.pitch_deg, floor.pitch_deg) * RAD,
  Math.max(given.yaw_deg, floor.yaw_deg) * RAD,
]
