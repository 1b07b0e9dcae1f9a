// Rotations as four numbers, w x y z, for readings that come a thousand times in a second: nothing is made for each.
import type { ImuReading, Quaternion } from './reading.ts'

const DEGREES = 180 / Math.PI

/** Roll, pitch and yaw of R = Rz(yaw) · Ry(pitch) · Rx(roll), degrees. into: three numbers from this place on. */
export const writeAngles = (q: Float64Array | Quaternion, into: Float64Array, at: number): void => {
  const w = q[0] as number
  const x = q[1] as number
  const y = q[2] as number
  const z = q[3] as number
  into[at] = DEGREES * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
  into[at + 1] = DEGREES * Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))))
  into[at + 2] = DEGREES * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
}

/** Between two rotations; share: 0 is a, 1 is b. Exact enough for what turns less than 20 degrees between the two. */
export const between = (a: Quaternion, b: Quaternion, share: number): Quaternion => {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1
  const [wa, wb] = [1 - share, sign * share]
  const q = [wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2], wa * a[3] + wb * b[3]] as const
  const length = Math.hypot(...q)
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
}

/** Between two readings. share: 0 is a, 1 is b. */
export const betweenReadings = (a: ImuReading, b: ImuReading, share: number): ImuReading => {
  const quat = between(a.quat, b.quat, share)
  const angles = new Float64Array(3)
  writeAngles(quat, angles, 0)
  const [roll_deg = 0, pitch_deg = 0] = angles
  const mix = (from: number, to: number) => from + share * (to - from)
  const axes = (from: ImuReading['gyro_dps'], to: ImuReading['gyro_dps']) =>
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])] as const
  return {
    at_us: mix(a.at_us, b.at_us),
    quat,
    roll_deg,
    pitch_deg,
    yaw_deg: mix(a.yaw_deg, b.yaw_deg),
    gyro_dps: axes(a.gyro_dps, b.gyro_dps),
    accel_g: axes(a.accel_g, b.accel_g),
  }
}
