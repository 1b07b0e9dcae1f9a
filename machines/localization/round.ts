// The frames that are solved together.
import type { TimestampSource } from '../engine/controls.ts'
import type { MotionExposed } from './blur.ts'
import type { Observation } from './observation.ts'
import type { PlanarStd } from './own-speed.ts'
import type { Pose } from './pose.ts'
import type { SixNumbers } from './solution.ts'

/** One frame of one stream. */
export interface RoundFrame {
  readonly streamId: string
  /** Of mid-exposure, CLOCK_MONOTONIC. */
  readonly capturedUs: number
  readonly timestampSource: TimestampSource
  readonly observation: Observation
  /** Poses of the robot on the field from which a solve may start: what the engine has solved already. */
  readonly starts: readonly Pose[]
}

/** Frames that are solved together, each of which counts in exactly one round. */
export interface Round {
  /** Newest last; at most one of a stream. */
  readonly frames: readonly RoundFrame[]
  /** Of the newest. */
  readonly capturedUs: number
}

/** Where something else than our cameras says the robot is, at the time of the round. */
export interface MeasuredPose {
  readonly pose: Pose
  /** Standard deviations. */
  readonly std: SixNumbers
}

/** Which way the robot looks on the field, and how far that may be off: radians. */
export interface Heading {
  readonly yaw: number
  readonly std: number
}

/** A start of a joint solve, and what was known before. */
export interface RoundProblem {
  readonly round: Round
  /** Of each frame: the robot at its exposure, seen from the robot at the time of the round. */
  readonly motions: readonly Pose[]
  /** Of each frame, how far that motion may be off; undefined: they are exact. */
  readonly motionStds?: readonly PlanarStd[]
  /** Of each frame, how the robot moved while it was exposed; undefined: it stood. */
  readonly exposed?: readonly MotionExposed[]
  /** Where the robot may be at the time of the round; the frames' own starts come beside these. */
  readonly predicted: Pose | undefined
  /** How far the prediction may be off: x, y in metres, yaw in radians. */
  readonly predictedStd?: readonly [number, number, number]
  /** The robot's heading on the field, with the learnt offset; undefined: none, or not to be used. */
  readonly heading: Heading | undefined
  /** Absolute external sources that are to be solved with. */
  readonly measured?: readonly MeasuredPose[]
  /** Whether the robot moves faster than 0.2 m/s or 10 degrees/s: frames whose clock is not known are then left out. */
  readonly moves: boolean
}
