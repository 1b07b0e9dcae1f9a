// Rigid poses, and the arithmetic on them that the drawings need. Frames: field and robot x forward, y left, z up (of
// the field: from the blue corner towards the red wall); camera body x forward, y left, z up; optical x right, y down,
// z forward; tag x out of the printed face, y to the left of that, z up.
import type { Documents } from '../api/documents.ts'

/** Metres along the three axes of a frame. */
export type Point3 = readonly [number, number, number]

/** Where one frame stands in another, as results say it: metres, and a unit quaternion. */
export type QuaternionPose = Documents['QuaternionPose']

/** The same as documents say it: metres, and R = Rz(yaw) · Ry(pitch) · Rx(roll) in degrees. */
export type AnglePose = Documents['Pose']

const RAD = Math.PI / 180

/** At the origin, not turned. */
export const IDENTITY: QuaternionPose = { x_m: 0, y_m: 0, z_m: 0, qw: 1, qx: 0, qy: 0, qz: 0 }

/** The place of a pose. */
export const placeOf = ({ x_m, y_m, z_m }: Pick<QuaternionPose, 'x_m' | 'y_m' | 'z_m'>): Point3 => [x_m, y_m, z_m]

/** A direction of the inner frame of a pose, in its outer one. */
export const turn = ({ qw, qx, qy, qz }: QuaternionPose, [x, y, z]: Point3): Point3 => {
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx]
}

/** A point of the inner frame of a pose, in its outer one. */
export const carry = (pose: QuaternionPose, point: Point3): Point3 => {
  const [x, y, z] = turn(pose, point)
  return [pose.x_m + x, pose.y_m + y, pose.z_m + z]
}

/** The pose of C in A, from B in A and C in B. */
export const compose = (a: QuaternionPose, b: QuaternionPose): QuaternionPose => {
  const [x_m, y_m, z_m] = carry(a, placeOf(b))
  return {
    x_m,
    y_m,
    z_m,
    qw: a.qw * b.qw - a.qx * b.qx - a.qy * b.qy - a.qz * b.qz,
    qx: a.qw * b.qx + a.qx * b.qw + a.qy * b.qz - a.qz * b.qy,
    qy: a.qw * b.qy - a.qx * b.qz + a.qy * b.qw + a.qz * b.qx,
    qz: a.qw * b.qz + a.qx * b.qy - a.qy * b.qx + a.qz * b.qw,
  }
}

/** The pose of A in B, from B in A. */
export const invert = (pose: QuaternionPose): QuaternionPose => {
  const back = { ...IDENTITY, qw: pose.qw, qx: -pose.qx, qy: -pose.qy, qz: -pose.qz }
  const [x_m, y_m, z_m] = turn(back, [-pose.x_m, -pose.y_m, -pose.z_m])
  return { ...back, x_m, y_m, z_m }
}

/** A pose with its angles as a quaternion. */
export const fromAngles = ({ x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg }: AnglePose): QuaternionPose => {
  const [cr, sr] = half(roll_deg)
  const [cp, sp] = half(pitch_deg)
  const [cy, sy] = half(yaw_deg)
  return {
    x_m,
    y_m,
    z_m,
    qw: cr * cp * cy + sr * sp * sy,
    qx: sr * cp * cy - cr * sp * sy,
    qy: cr * sp * cy + sr * cp * sy,
    qz: cr * cp * sy - sr * sp * cy,
  }
}

const half = (deg: number): readonly [number, number] => [Math.cos((deg * RAD) / 2), Math.sin((deg * RAD) / 2)]

/** The heading of a pose in degrees, -180 to 180: how far x is turned to the left, seen from above. */
export const yawOf = ({ qw, qx, qy, qz }: QuaternionPose): number =>
  Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)) / RAD

/** An angle in degrees as -180 to 180. */
export const wrapDeg = (deg: number): number => deg - 360 * Math.round(deg / 360)

/** How far two poses are from each other: metres on the floor, and degrees of heading. */
export const offBy = (a: QuaternionPose, b: QuaternionPose): { readonly m: number; readonly deg: number } => ({
  m: Math.hypot(a.x_m - b.x_m, a.y_m - b.y_m),
  deg: Math.abs(wrapDeg(yawOf(a) - yawOf(b))),
})

/** Nearer to straight up or down than 8e-6 degrees, where roll and yaw turn about one axis. */
const MAX_SINE = 1 - 1e-14

/** A pose with its quaternion as angles; the pitch is -90 to 90, and straight up or down there is no roll. */
export const toAngles = (pose: QuaternionPose): AnglePose => {
  const { x_m, y_m, z_m, qw, qx, qy, qz } = pose
  const sinPitch = 2 * (qw * qy - qz * qx)
  if (Math.abs(sinPitch) > MAX_SINE) {
    const yaw_deg = Math.atan2(2 * (qw * qz - qx * qy), 1 - 2 * (qx * qx + qz * qz)) / RAD
    return { x_m, y_m, z_m, roll_deg: 0, pitch_deg: 90 * Math.sign(sinPitch), yaw_deg }
  }
  return {
    x_m,
    y_m,
    z_m,
    roll_deg: Math.atan2(2 * (qw * qx + qy * qz), 1 - 2 * (qx * qx + qy * qy)) / RAD,
    pitch_deg: Math.asin(sinPitch) / RAD,
    yaw_deg: yawOf(pose),
  }
}
