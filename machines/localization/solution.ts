// What the joint solve of one round says: the newest is in a slot, and everything that is published follows from it.
import type { PlanarStd } from './own-speed.ts'
import type { Pose } from './pose.ts'
import type { TagReason } from './reasons.ts'

/** x, y, z in metres, roll, pitch, yaw in radians about the axes of the field. */
export type SixNumbers = readonly [number, number, number, number, number, number]

/** A tag that a camera of the round saw. */
export interface SolvedTag {
  readonly streamId: string
  /** An index into TAG_FAMILIES. */
  readonly family: number
  readonly id: number
  readonly used: boolean
  /** null: it is used. */
  readonly reason: TagReason | null
  /** Root mean square over its corners, pixels of the ideal camera; NaN: nothing was solved. */
  readonly residualPx: number
  /** Of its eight numbers, each over its own variance with the terms of map and mount; NaN as above. */
  readonly chi2: number
  /** Of one coordinate of its corners, as the engine says. */
  readonly sigmaPx: number
  /** Its share in the normal matrix, 0 to 1. */
  readonly weight: number
}

/** A camera of the round. */
export interface SolvedCamera {
  readonly streamId: string
  readonly capturedUs: number
  /** Tags of it that are used. */
  readonly used: number
  /** Root mean square over the corners that are used, pixels; NaN: none. */
  readonly residualPx: number
  /**
   * How it alone would move the pose (x, y in metres, yaw in radians) against what all say; NaN where it alone does not
   * fix it, and where no other camera has a say. What stands still over minutes is its mount.
   */
  readonly offset: readonly [number, number, number]
}

/** Who says a heading: the robot by itself, or in its odometry; or the IMU of this device. */
export type HeadingFrom = 'robot' | 'odometry' | 'imu'

/** What is known of the robot's heading in a round. radians. */
export interface SolvedHeading {
  /** undefined: nobody says one. */
  readonly from?: HeadingFrom
  /** As the robot says it at the time of the round; NaN: it says none. */
  readonly said: number
  /** As the tags show it without the heading; NaN: not sure enough. */
  readonly seen: number
  /** Learnt: seen - said. NaN: not known yet. */
  readonly offset: number
  /** Whether it was used as a prior. */
  readonly used: boolean
}

/** A solved pose. */
export interface SolvedPose {
  /** The robot on the field. */
  readonly pose: Pose
  /** Row by row, of SixNumbers, all terms; 36 numbers. */
  readonly covariance: Float64Array
  /** The same, but only what the pixels' noise explains: it averages out over rounds, the rest does not. */
  readonly pixelCovariance: Float64Array
  /** Published ones: square roots of the diagonal, never below 5 mm and 0.1 degrees. */
  readonly stdDevs: SixNumbers
  /** sqrt((xx + yy) / 2), which is the same in the robot's frame; never below 5 mm. */
  readonly stdXyM: number
}

/** One round. */
export interface Solved {
  /** Rises with each round. */
  readonly round: number
  /** The time that the pose belongs to: exposure of the round's newest frame. CLOCK_MONOTONIC. */
  readonly capturedUs: number
  /** undefined: no pose, or one that is not sure enough to be shown at all; each tag says why. */
  readonly solved: SolvedPose | undefined
  /** Whether it may be given to the robot: sure to `gate.max_std_m`. */
  readonly isSure: boolean
  readonly tags: readonly SolvedTag[]
  readonly cameras: readonly SolvedCamera[]
  readonly heading: SolvedHeading
  /** Of the filter with odometry; undefined: no odometry comes. */
  readonly fused: { readonly pose: Pose; readonly stdDevs: readonly [number, number, number] } | undefined
  readonly map: { readonly id: string; readonly hash: string }
  /** Of the config by which it was solved. */
  readonly revision: number
  /** Of each frame of the round, where that is known: the robot at its exposure, seen from the robot at the round. */
  readonly motions?: readonly Pose[]
  /** Of each of these, how far it may be off, one deviation. */
  readonly motionStds?: readonly PlanarStd[]
  /** What it took of the processor. */
  readonly cpuUs: number
}
