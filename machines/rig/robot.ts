// How large the robot is, as far as its team has said so.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'
import { collection } from '../settings/collection.ts'
import { rigChanged } from './events.ts'

const Length = Type.Number({ minimum: 0.05, maximum: 5 })

/** Of its own box, bumpers and all, in the directions of its frame. */
export const RobotDimensions = Type.Object(
  { length_m: Length, width_m: Length, height_m: Length },
  { additionalProperties: false },
)
export type RobotDimensions = Static<typeof RobotDimensions>

/** The id of the one document in the collection. */
export const ROBOT = 'robot'

/** What of the robot has been measured. */
export const rigCollection = collection({
  name: 'rig',
  id: Type.Literal(ROBOT),
  schema: Type.Partial(RobotDimensions, { additionalProperties: false }),
  limit: 1,
  changed: rigChanged,
  notFound: () => ({ code: 'document.unknown', detail: 'nobody has said yet how large the robot is' }),
  blank: {},
})
