/**
 * What a frame shows of tags, for the joint solve: packed behind a result when the engine's task asks for it.
 *
 * One Float64Array: a head, then one row for each tag that was found, after the detector's own filters and before
 * `localization_ids`. It does not depend on a field map, and no graph has to be changed for it.
 */
import { type Pose, poseAt } from './pose.ts'

/** What is said once, in this order. The mount is the one that the frame was computed by: the robot may set another. */
export const OBSERVATION_HEAD = [
  /** Of the ideal camera, pixels. */
  'fx_px',
  'fy_px',
  /** The camera body (forward, left, up) in the robot frame. */
  ...['x_m', 'y_m', 'z_m', 'qw', 'qx', 'qy', 'qz'].map((field) => `robot_camera_${field}`),
  /** 1: somebody has said where the camera sits; 0: nobody has, and it is taken to be the origin. */
  'has_mount',
  /** How long the frame was exposed, microseconds; 0: nobody knows. */
  'exposure_us',
  /** How many rows follow. */
  'tag_count',
] as const

/** What is said of each tag. Corners in the ideal image plane (X/Z, Y/Z), in libapriltag's order. */
export const OBSERVATION_TAG = [
  /** An index into TAG_FAMILIES. */
  'family',
  'id',
  ...[0, 1, 2, 3].flatMap((n) => [`x${n}`, `y${n}`]),
  /** Standard deviation of one coordinate of a corner, pixels of the ideal camera. */
  'sigma_px',
  /** 0, or why nothing can be solved from its corners (machines/engine/no-pose.ts). */
  'no_pose',
] as const

const MOUNT = OBSERVATION_HEAD.indexOf('robot_camera_x_m')
const HAS_MOUNT = OBSERVATION_HEAD.indexOf('has_mount')
const COUNT = OBSERVATION_HEAD.indexOf('tag_count')

/** A packed observation. */
export type Observation = Float64Array

/** How many tags it has. */
export const tagCountOf = (observation: Observation): number => observation[COUNT] as number

/** Where row n begins. */
export const tagAt = (n: number): number => OBSERVATION_HEAD.length + n * OBSERVATION_TAG.length

/** The camera body in the robot frame; undefined: nobody has said where it sits. */
export const mountOf = (observation: Observation): Pose | undefined =>
  observation[HAS_MOUNT] === 1 ? poseAt(observation, MOUNT) : undefined
