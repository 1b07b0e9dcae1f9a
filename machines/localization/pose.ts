// Rigid poses as documents, and the arithmetic on them. Everything here is pure and allocation-light: it runs once per
// tag and frame.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'

/**
 * A rigid pose: where one frame stands in another.
 *
 * Metres and degrees. R = Rz(yaw) · Ry(pitch) · Rx(roll), the order of WPILib's Rotation3d. Robot and camera-body
 * frames are x forward, y left, z up; the field frame has its origin at the blue corner, x towards the red wall, z up.
 */
export const PoseDocument = Type.Object(
  {
    x_m: Type.Number({ minimum: -1000, maximum: 1000, description: 'Forward; on the field towards the red wall.' }),
    y_m: Type.Number({ minimum: -1000, maximum: 1000, description: 'To the left.' }),
    z_m: Type.Number({ minimum: -1000, maximum: 1000, description: 'Up.' }),
    roll_deg: Type.Number({ minimum: -360, maximum: 360, description: 'About x, applied first.' }),
    pitch_deg: Type.Number({ minimum: -360, maximum: 360, description: 'About y; positive looks down.' }),
    yaw_deg: Type.Number({ minimum: -360, maximum: 360, description: 'About z, applied last; positive turns left.' }),
  },
  {
    additionalProperties: false,
    title: 'Pose',
    description: 'Where one frame stands in another. R = Rz(yaw) · Ry(pitch) · Rx(roll), as in WPILib.',
  },
)
export type PoseDocument = Static<typeof PoseDocument>

/** The same pose in computing form: translation in metres and a unit quaternion, scalar first. */
export interface Pose {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly qw: number
  readonly qx: number
  readonly qy: number
  readonly qz: number
}

const RAD = Math.PI / 180

export const identityPose: Pose = { x: 0, y: 0, z: 0, qw: 1, qx: 0, qy: 0, qz: 0 }

/** Whether it is one: all zeros, where a result has none, is no rotation. */
export const isRotated = ({ qw, qx, qy, qz }: Pose): boolean => qw !== 0 || qx !== 0 || qy !== 0 || qz !== 0

/** The same with a quaternion of length 1: where poses follow from poses for long, rounding would make it another. */
export const normalise = (pose: Pose): Pose => {
  const length = Math.hypot(pose.qw, pose.qx, pose.qy, pose.qz)
  return { ...pose, qw: pose.qw / length, qx: pose.qx / length, qy: pose.qy / length, qz: pose.qz / length }
}

/** Pose of C in A, from B in A and C in B. */
export const compose = (a: Pose, b: Pose): Pose => {
  const [tx, ty, tz] = rotate(a, b.x, b.y, b.z)
  return {
    x: a.x + tx,
    y: a.y + ty,
    z: a.z + tz,
    qw: a.qw * b.qw - a.qx * b.qx - a.qy * b.qy - a.qz * b.qz,
    qx: a.qw * b.qx + a.qx * b.qw + a.qy * b.qz - a.qz * b.qy,
    qy: a.qw * b.qy - a.qx * b.qz + a.qy * b.qw + a.qz * b.qx,
    qz: a.qw * b.qz + a.qx * b.qy - a.qy * b.qx + a.qz * b.qw,
  }
}

/** Pose of A in B, from B in A. */
export const invert = (pose: Pose): Pose => {
  const back: Pose = { x: 0, y: 0, z: 0, qw: pose.qw, qx: -pose.qx, qy: -pose.qy, qz: -pose.qz }
  const [x, y, z] = rotate(back, -pose.x, -pose.y, -pose.z)
  return { ...back, x, y, z }
}

/** The rotation of `pose` applied to a vector. */
export const rotate = (pose: Pose, x: number, y: number, z: number): readonly [number, number, number] => {
  const { qw, qx, qy, qz } = pose
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx]
}

/**
 * Of a pitch within 8e-6 degrees of straight up or down. There roll and yaw turn about one axis, and rounding makes
 * more of each than taking the pitch for 90 degrees does.
 */
const MAX_SINE = 1 - 1e-14

/** Roll, pitch, yaw in degrees, each in (-180, 180]; pitch in [-90, 90]. Straight up or down there is no roll. */
export const eulerDeg = (pose: Pose): readonly [number, number, number] => {
  const { qw, qx, qy, qz } = pose
  const sinPitch = 2 * (qw * qy - qz * qx)
  if (Math.abs(sinPitch) > MAX_SINE)
    return [0, 90 * Math.sign(sinPitch), Math.atan2(2 * (qw * qz - qx * qy), 1 - 2 * (qx * qx + qz * qz)) / RAD]
  return [
    Math.atan2(2 * (qw * qx + qy * qz), 1 - 2 * (qx * qx + qy * qy)) / RAD,
    Math.asin(sinPitch) / RAD,
    Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)) / RAD,
  ]
}

export const poseFromDocument = (document: PoseDocument): Pose => {
  const [cr, sr] = half(document.roll_deg)
  const [cp, sp] = half(document.pitch_deg)
  const [cy, sy] = half(document.yaw_deg)
  return {
    x: document.x_m,
    y: document.y_m,
    z: document.z_m,
    qw: cr * cp * cy + sr * sp * sy,
    qx: sr * cp * cy - cr * sp * sy,
    qy: cr * sp * cy + sr * cp * sy,
    qz: cr * cp * sy - sr * sp * cy,
  }
}

export const poseToDocument = (pose: Pose): PoseDocument => {
  const [roll_deg, pitch_deg, yaw_deg] = eulerDeg(pose)
  return { x_m: pose.x, y_m: pose.y, z_m: pose.z, roll_deg, pitch_deg, yaw_deg }
}

/** The pose in seven consecutive numbers of a packed result: x, y, z, qw, qx, qy, qz. */
export const poseAt = (data: Float64Array, offset: number): Pose => ({
  x: data[offset] as number,
  y: data[offset + 1] as number,
  z: data[offset + 2] as number,
  qw: data[offset + 3] as number,
  qx: data[offset + 4] as number,
  qy: data[offset + 5] as number,
  qz: data[offset + 6] as number,
})

const half = (angleDeg: number): readonly [number, number] => [
  Math.cos((angleDeg * RAD) / 2),
  Math.sin((angleDeg * RAD) / 2),
]
