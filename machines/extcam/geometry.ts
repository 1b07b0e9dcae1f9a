// Between our frames (machines/localization/pose.ts) and the emulated vendor's, where a pose is six numbers: metres,
// then degrees about the frame's own X, Y, Z.
//
// The vendor's camera, target and robot spaces have x right, y down and z forward; its target's z goes into the tag.
// The camera's own place on the robot is the exception: forward, right, up, with pitch positive upwards and yaw
// positive clockwise as seen from above.
import { compose, eulerDeg, type Pose, type PoseDocument } from '../localization/pose.ts'

const DEG = 180 / Math.PI

/** A body (x forward, y left, z up) in its own right-down-forward axes. */
const bodyInOptical: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: 0.5, qy: -0.5, qz: 0.5 }

/** The vendor's target axes in a tag of the field map: x out of the printed face, y to the left of that, z up. */
const targetInTag: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: -0.5, qz: 0.5 }

/** The same angle in (-180, 180]. */
export const wrapDeg = (angleDeg: number): number => angleDeg - 360 * Math.ceil((angleDeg - 180) / 360)

/** Writes a pose as six numbers from `offset` on. */
export const writePose = (out: Float64Array, offset: number, pose: Pose): void => {
  const [roll, pitch, yaw] = eulerDeg(pose)
  out[offset] = pose.x
  out[offset + 1] = pose.y
  out[offset + 2] = pose.z
  out[offset + 3] = roll
  out[offset + 4] = pitch
  out[offset + 5] = yaw
}

/** The camera on the robot as `camerapose_robotspace` and `t6c_rs` have it; no mount is the robot's origin. */
export const mountAsVendor = (mount: PoseDocument | null): Float64Array =>
  mount
    ? Float64Array.of(
        mount.x_m,
        0 - mount.y_m, // 0 - y, since -y would make a negative zero of a zero
        mount.z_m,
        wrapDeg(mount.roll_deg),
        wrapDeg(0 - mount.pitch_deg),
        wrapDeg(0 - mount.yaw_deg),
      )
    : new Float64Array(6)

/** A pose between two forward-left-up frames, between the same two with right-down-forward axes: the vendor's E. */
export const inOpticalAxes = (pose: Pose): Pose => ({
  x: -pose.y,
  y: -pose.z,
  z: pose.x,
  qw: pose.qw,
  qx: -pose.qy,
  qy: -pose.qz,
  qz: pose.qx,
})

/** A tag of the field map with the vendor's target axes, in the field. */
export const targetInField = (tagInField: Pose): Pose => compose(tagInField, targetInTag)

/** The robot (forward, left, up) in the field by one tag alone, from `targetInField` and `t6r_ts`. */
export const robotInField = (target: Pose, robotInTarget: Pose): Pose =>
  compose(compose(target, robotInTarget), bodyInOptical)

/**
 * Writes a pose of the field frame (origin in the blue corner) as seen from the field's centre: `botpose`, `t6r_fs`.
 */
export const writeCentrePose = (out: Float64Array, offset: number, pose: Pose, field: FieldSize): void => {
  writePose(out, offset, pose)
  out[offset] = pose.x - field.length_m / 2
  out[offset + 1] = pose.y - field.width_m / 2
}

/** Writes a pose of the field frame as seen from the red corner, half a turn away: `botpose_wpired`. */
export const writeRedPose = (out: Float64Array, offset: number, pose: Pose, field: FieldSize): void => {
  writePose(out, offset, pose)
  out[offset] = field.length_m - pose.x
  out[offset + 1] = field.width_m - pose.y
  out[offset + 5] = wrapDeg((out[offset + 5] as number) - 180)
}

/** `txnc`: degrees to the right of the principal axis, of a point in camera space or on its ideal plane. */
export const rightDeg = (x: number, z: number): number => Math.atan2(x, z) * DEG

/** `tync`: degrees above the principal axis; y points down. */
export const upDeg = (y: number, z: number): number => Math.atan2(0 - y, z) * DEG

/** The field's sides in metres, as in a field map; the length lies along x. */
export interface FieldSize {
  readonly length_m: number
  readonly width_m: number
}
