// The topics of the IMU on the robot's server.
import { OWN_ROOT } from './topics.ts'

/** No stream may be called `device`. */
export const IMU_TABLE = `${OWN_ROOT}/device/imu`

/**
 * All keys with their types; they are there from the first reading on. Axes of the robot: x forward, y left, z up;
 * turns counter-clockwise.
 *
 * orientation: from the robot to a world whose z is up and whose x is where the robot looked at yaw 0. angles_deg:
 * roll, pitch, yaw; positive pitch looks down, and yaw has no jump. rates_deg_s, accel_g: about and along x, y, z; at
 * rest and level the latter is 0, 0, 1. captured_us: when, server time. These come together, at most fifty times a
 * second. state: of the device's IMU, when it changes.
 */
export const IMU_TOPICS = {
  orientation: 'struct:Rotation3d',
  angles_deg: 'double[]',
  rates_deg_s: 'double[]',
  accel_g: 'double[]',
  captured_us: 'int',
  state: 'string',
} as const

export type ImuKey = keyof typeof IMU_TOPICS
