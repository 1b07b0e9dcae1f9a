// Structs as the robot's tools know them: packed without padding, little endian, each described by a text under
// /.schema.

/** A schema, by the name of its struct. */
interface StructSchema {
  readonly name: string
  readonly text: string
}

/** Of a pose and its parts. The texts are WPILib's. */
export const POSE_SCHEMAS: readonly StructSchema[] = [
  { name: 'Pose3d', text: 'Translation3d translation;Rotation3d rotation' },
  { name: 'Translation3d', text: 'double x;double y;double z' },
  { name: 'Rotation3d', text: 'Quaternion q' },
  { name: 'Quaternion', text: 'double w;double x;double y;double z' },
]

/** How many bytes a Pose3d has: x, y, z in metres, then w, x, y, z of a unit quaternion. */
export const POSE_BYTES = 56

/** Writes seven numbers in that order, from `from` on, as a Pose3d at byte `at`. */
export const writePose3d = (out: DataView, at: number, numbers: ArrayLike<number>, from: number): void => {
  for (let i = 0; i < 7; i++) out.setFloat64(at + 8 * i, numbers[from + i] as number, true)
}

/** How many bytes a Rotation3d has: w, x, y, z of a unit quaternion. */
export const ROTATION_BYTES = 32

/** Writes four numbers in that order, from `from` on, as a Rotation3d at byte `at`. */
export const writeRotation3d = (out: DataView, at: number, numbers: ArrayLike<number>, from: number): void => {
  for (let i = 0; i < 4; i++) out.setFloat64(at + 8 * i, numbers[from + i] as number, true)
}
