// A pose as it may be sent: turned by angles, or by a quaternion.
import type { Static } from 'typebox'
import type { SchemaError } from '../schema/explain.ts'
import Type from '../schema/type.ts'
import { eulerDeg, identityPose, PoseDocument, poseFromDocument } from './pose.ts'

const strict = { additionalProperties: false } as const
const Part = Type.Number({ minimum: -1, maximum: 1 })

/** A rotation. */
export const Quaternion = Type.Object(
  { w: Part, x: Part, y: Part, z: Part },
  { ...strict, title: 'Quaternion', description: 'A rotation as a unit quaternion; w is its real part.' },
)
export type Quaternion = Static<typeof Quaternion>

const { x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg } = PoseDocument.properties

/** A pose with its rotation in either form. */
export const PoseBody = Type.Object(
  {
    x_m,
    y_m,
    z_m,
    roll_deg: Type.Optional(roll_deg),
    pitch_deg: Type.Optional(pitch_deg),
    yaw_deg: Type.Optional(yaw_deg),
    quaternion: Type.Optional(Quaternion),
  },
  {
    ...strict,
    title: 'PoseInput',
    description: 'A `Pose`, with its rotation as three angles or as a quaternion, which need not have the length 1.',
  },
)
export type PoseBody = Static<typeof PoseBody>

/** A shorter quaternion says nothing about a direction any more. */
const MIN_LENGTH = 0.1

const ANGLES = ['roll_deg', 'pitch_deg', 'yaw_deg'] as const

/** The pose as it is stored, in degrees, or what is wrong with it. */
export const poseOfBody = ({ quaternion, ...body }: PoseBody): PoseDocument | readonly SchemaError[] => {
  if (!quaternion) {
    const missing = ANGLES.filter((angle) => body[angle] === undefined)
    return missing.length === 0
      ? (body as PoseDocument)
      : missing.map((angle) => ({ pointer: `/${angle}`, message: 'is missing; say all three angles, or a quaternion' }))
  }
  const angles = ANGLES.filter((angle) => body[angle] !== undefined)
  if (angles.length > 0)
    return angles.map((angle) => ({ pointer: `/${angle}`, message: 'stands beside a quaternion; say one of them' }))
  const { w, x, y, z } = quaternion
  const length = Math.hypot(w, x, y, z)
  if (length < MIN_LENGTH)
    return [{ pointer: '/quaternion', message: 'is no rotation: its length is nearly nothing, where it should be 1' }]
  const turned = { ...identityPose, qw: w / length, qx: x / length, qy: y / length, qz: z / length }
  const [roll, pitch, yaw] = eulerDeg(turned)
  return { x_m: body.x_m, y_m: body.y_m, z_m: body.z_m, roll_deg: roll, pitch_deg: pitch, yaw_deg: yaw }
}

/** The rotation of a stored pose. */
export const quaternionOf = (pose: PoseDocument): Quaternion => {
  const { qw: w, qx: x, qy: y, qz: z } = poseFromDocument(pose)
  return { w, x, y, z }
}
