// From the frame that a pose is given in to the robot on the field, seen from the blue corner.
import { compose, identityPose, invert, type Pose, rotate } from '../pose.ts'
import type { SixNumbers } from '../solution.ts'
import type { ExternalSource } from './source.ts'

/** How large the field is. */
export interface FieldSize {
  readonly length_m: number
  readonly width_m: number
}

type Origin = ExternalSource['origin']

/** Whether the size of the field is needed to know where a frame is. */
export const needsField = (origin: Origin): boolean => origin === 'red' || origin === 'centre'

/** The frame of an origin, seen from the blue corner; of `own`: that frame itself. */
export const frameOf = (origin: Origin, { length_m, width_m }: FieldSize): Pose => {
  if (origin === 'red') return { ...identityPose, x: length_m, y: width_m, qw: 0, qz: 1 }
  return origin === 'centre' ? { ...identityPose, x: length_m / 2, y: width_m / 2 } : identityPose
}

/** The robot in a frame, of the sensor in it and the sensor on the robot. */
export const robotOfSensor = (sensor: Pose, mount: Pose): Pose => compose(sensor, invert(mount))

/**
 * How far off the robot may be where the sensor is off by so much: what the sensor may be turned moves the robot, which
 * hangs on it like on a lever. Metres and radians along and about the axes of the frame, half a turn of which changes
 * nothing.
 */
export const deviationsOfRobot = (ofSensor: SixNumbers, sensor: Pose, mount: Pose): SixNumbers => {
  const { x, y, z } = invert(mount)
  const [lx, ly, lz] = rotate(sensor, x, y, z)
  const [sx, sy, sz, roll, pitch, yaw] = ofSensor
  return [
    Math.hypot(sx, pitch * lz, yaw * ly),
    Math.hypot(sy, yaw * lx, roll * lz),
    Math.hypot(sz, roll * ly, pitch * lx),
    roll,
    pitch,
    yaw,
  ]
}
