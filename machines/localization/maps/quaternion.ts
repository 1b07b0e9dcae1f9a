// Quaternions as files have them.
import type { Pose } from '../pose.ts'

/** How far the length of one may be from 1: files with three digits are about. */
const MAX_OFF = 0.01

/** A rotation, of length 1, or what is wrong with it, to stand behind its place. */
export const unitQuaternion = (
  w: number,
  x: number,
  y: number,
  z: number,
): Pick<Pose, 'qw' | 'qx' | 'qy' | 'qz'> | string => {
  const length = Math.hypot(w, x, y, z)
  if (length === 0) return 'is no rotation: all four are 0; one that is not turned has W = 1'
  if (Math.abs(length - 1) > MAX_OFF)
    return `is no rotation: its length is ${Number(length.toPrecision(4))}, where it should be 1`
  return { qw: w / length, qx: x / length, qy: y / length, qz: z / length }
}
