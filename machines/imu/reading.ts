// What an IMU says, as everybody in the house has it. Robot axes: x forward, y left, z up; turns counter-clockwise.

/** The rotation from the robot to the world, w x y z. The world's z is up; its x is where the robot looked at 0 yaw. */
export type Quaternion = readonly [w: number, x: number, y: number, z: number]

/** Along the robot's axes. */
export type Axes = readonly [x: number, y: number, z: number]

/** Where the robot points at one moment, and what it feels. R = Rz(yaw) · Ry(pitch) · Rx(roll). */
export interface ImuReading {
  /** The middle of what the chip measured, CLOCK_MONOTONIC, µs: the time base of every frame. */
  readonly at_us: number
  /** Of length 1. */
  readonly quat: Quaternion
  /** −180 to 180; positive when the left side goes up. */
  readonly roll_deg: number
  /** −90 to 90; positive when the front goes down, as a turn about y to the left. */
  readonly pitch_deg: number
  /** Counter-clockwise and without a jump: two turns are 720. Begins at 0. */
  readonly yaw_deg: number
  /** Degrees in a second, without the bias. */
  readonly gyro_dps: Axes
  /** Specific force in g: at rest and level 0, 0, 1. */
  readonly accel_g: Axes
}

/** Readings in a row, oldest first, in columns. The columns are never changed afterwards: they may be kept. */
export interface ImuBatch {
  readonly count: number
  /** One of each reading. */
  readonly at_us: Float64Array
  /** Four of each: w, x, y, z. */
  readonly quat: Float64Array
  /** Three of each: roll, pitch, yaw, degrees. */
  readonly angles_deg: Float64Array
  /** Three of each: x, y, z. */
  readonly gyro_dps: Float64Array
  /** Three of each: x, y, z. */
  readonly accel_g: Float64Array
}

/** What a chip says, in its own axes after the mount matrix of the system; columns as above. */
export interface RawImuBatch {
  readonly count: number
  /** CLOCK_MONOTONIC, µs; never falls. */
  readonly at_us: Float64Array
  /** Three of each: x, y, z. */
  readonly gyro_rad_s: Float64Array
  /** Specific force: +9.8 along the axis that points up at rest. Three of each: x, y, z. */
  readonly accel_m_s2: Float64Array
  /** Of the chip; null: it does not say. */
  readonly temperature_c: number | null
}
