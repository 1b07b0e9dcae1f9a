// How the vendor's helper library reads the arrays: a wrong length silently means nothing.
import type { PoseDocument } from '../../../machines/localization/pose.ts'

const TAIL = 7

/**
 * Where a camera sits, from `camerapose_robotspace`: forward, right, up in metres, roll, pitch, yaw in the vendor's
 * degrees.
 */
export const mountFromVendor = (pose: ArrayLike<number>): PoseDocument => ({
  x_m: pose[0] as number,
  y_m: 0 - (pose[1] as number),
  z_m: pose[2] as number,
  roll_deg: pose[3] as number,
  pitch_deg: 0 - (pose[4] as number),
  yaw_deg: 0 - (pose[5] as number),
})

export interface TagEntry {
  readonly id: number
  readonly txnc: number
  readonly tync: number
  readonly ta: number
  readonly distToCamera: number
  readonly distToRobot: number
  readonly ambiguity: number
}

const entryAt = (data: ArrayLike<number>, at: number): TagEntry => {
  const [id, txnc, tync, ta, distToCamera, distToRobot, ambiguity] = Array.from(
    { length: TAIL },
    (_, i) => data[at + i] as number,
  )
  return { id, txnc, tync, ta, distToCamera, distToRobot, ambiguity } as TagEntry
}

/**
 * A botpose as the helper's estimate; undefined: "camera not connected". tags is empty when the length does not fit the
 * count.
 */
export const readEstimate = (data: ArrayLike<number>) => {
  if (data.length === 0) return undefined
  const tagCount = Math.round(data[7] ?? 0)
  const fits = data.length === 11 + TAIL * tagCount
  return {
    pose: Array.from({ length: 6 }, (_, i) => data[i] ?? 0),
    latencyMs: data[6] ?? 0,
    tagCount,
    span: data[8] ?? 0,
    avgDistance: data[9] ?? 0,
    avgArea: data[10] ?? 0,
    tags: fits ? Array.from({ length: tagCount }, (_, n) => entryAt(data, 11 + TAIL * n)) : [],
  }
}

/** `rawfiducials` as the helper's objects. */
export const readRawFiducials = (data: ArrayLike<number>): readonly TagEntry[] =>
  data.length % TAIL === 0 ? Array.from({ length: data.length / TAIL }, (_, n) => entryAt(data, TAIL * n)) : []

/** `t2d` by name; undefined when it has another length than 17. */
export const readT2d = (data: ArrayLike<number>) =>
  data.length === 17
    ? {
        valid: data[0] === 1,
        count: data[1],
        tl: data[2],
        cl: data[3],
        tx: data[4],
        ty: data[5],
        tid: data[9],
        long: data[12],
        short: data[13],
        horizontal: data[14],
        vertical: data[15],
        skew: data[16],
      }
    : undefined
