// The robot's pose in the vendor's three frames, with the figures of each tag that was used. The arrays are reused
// frame after frame.

import type { Result } from '../engine/result.ts'
import { poseAt } from '../localization/pose.ts'
import { type Fiducials, MAX_TAGS, RAW_STRIDE, TAG, TAG_STRIDE } from './fiducials.ts'
import { writeCentrePose, writePose, writeRedPose } from './geometry.ts'
import type { SizedInstallation } from './installation.ts'
import { areSane, column, firstOfKind, isPose } from './rows.ts'

/**
 * The numbers of a botpose before its tail of tags. Six of pose, then latency, tags, span, mean distance, mean area.
 */
export const BOTPOSE_HEAD = 11

/** Which solution of a frame. */
interface Solver {
  /** Where in a row it begins, and its standard deviations. */
  readonly robot: number
  /** Where in a row it begins, and its standard deviations. */
  readonly std: number
  /** How many there are. */
  readonly stds: number
}

/** From the corners alone: "MegaTag1". */
export const BY_CORNERS: Solver = {
  robot: column('field_pose', 'field_robot_x_m'),
  std: column('field_pose', 'std_x_m'),
  stds: 6,
}

/** From the corners and the robot's heading: "MegaTag2". It measures no angles. */
export const BY_HEADING: Solver = {
  robot: column('field_pose', 'heading_field_robot_x_m'),
  std: column('field_pose', 'heading_std_x_m'),
  stds: 3,
}

/**
 * Of angles that are not measured: what the solver takes the heading and the level to be exact to. Zeros would say that
 * nobody need look at anything else.
 */
const GIVEN_STD_DEG = 0.5

/** A solution of the newest frame: arrays of 11 + 7n numbers, n = 0 and all zeros without one. */
export class Botpose {
  centre: Float64Array
  blue: Float64Array
  red: Float64Array
  /** x, y, z in metres, roll, pitch, yaw in degrees. */
  readonly stddevs = new Float64Array(6)
  readonly #solver: Solver
  readonly #centres = viewsOf(BOTPOSE_HEAD, RAW_STRIDE)
  readonly #blues = viewsOf(BOTPOSE_HEAD, RAW_STRIDE)
  readonly #reds = viewsOf(BOTPOSE_HEAD, RAW_STRIDE)

  constructor(solver: Solver) {
    this.#solver = solver
    this.centre = this.#centres(0)
    this.blue = this.#blues(0)
    this.red = this.#reds(0)
  }

  /** No solution: zeros in all three frames, since the field's origin turned into another frame would look like one. */
  clear(): void {
    this.#resize(0)
    for (const pose of [this.centre, this.blue, this.red, this.stddevs]) pose.fill(0)
  }

  /** Takes in the solution of a frame, if it has one and the tags behind it are known. */
  read(result: Result, sized: SizedInstallation, fiducials: Fiducials): void {
    const { data } = result
    const { fielded } = fiducials
    const { robot: atRobot, std: atStd, stds } = this.#solver
    const solved = firstOfKind(result, 'field_pose')
    if (!solved || solved.count === 0 || fielded === 0 || !isPose(data, solved.offset + atRobot)) {
      this.clear()
      return
    }
    const robot = poseAt(data, solved.offset + atRobot)
    const std = solved.offset + atStd
    this.#resize(fielded)
    writeUsedTags(this.centre, fiducials)
    this.blue.set(this.centre)
    this.red.set(this.centre)
    writeCentrePose(this.centre, 0, robot, sized.field)
    writePose(this.blue, 0, robot)
    writeRedPose(this.red, 0, robot, sized.field)
    this.stddevs.fill(GIVEN_STD_DEG)
    for (let i = 0; i < stds; i++) this.stddevs[i] = areSane(data, std + i, 1) ? (data[std + i] as number) : 0
  }

  #resize(tags: number): void {
    this.centre = this.#centres(tags)
    this.blue = this.#blues(tags)
    this.red = this.#reds(tags)
  }
}

/** One buffer and a view of it for each number of entries that ever came: a frame allocates nothing. */
const viewsOf = (head: number, stride: number): ((entries: number) => Float64Array) => {
  const buffer = new Float64Array(head + stride * MAX_TAGS)
  const views: Float64Array[] = []
  return (entries) => {
    views[entries] ??= buffer.subarray(0, head + stride * entries)
    return views[entries]
  }
}

/** Everything from the tag count on. Only tags of the field map count. */
const writeUsedTags = (out: Float64Array, { rows, count, fielded }: Fiducials): void => {
  let entry = BOTPOSE_HEAD
  let span = 0
  let distance = 0
  let area = 0
  for (let n = 0; n < count; n++) {
    const row = n * TAG_STRIDE
    if (rows[row + TAG.fielded] === 0) continue
    for (let i = 0; i < RAW_STRIDE; i++) out[entry + i] = rows[row + i] as number
    distance += rows[row + TAG.cameraDistance] as number
    area += rows[row + TAG.area] as number
    for (let other = 0; other < row; other += TAG_STRIDE) {
      if (rows[other + TAG.fielded] === 1) span = Math.max(span, metresApart(rows, row, other))
    }
    entry += RAW_STRIDE
  }
  out[7] = fielded
  out[8] = span
  out[9] = distance / fielded
  out[10] = (area / fielded) * 100 // percent, though the tail has 0 to 1: so does the vendor
}

/** Between the measured places of two tags. */
const metresApart = (rows: Float64Array, row: number, other: number): number => {
  let square = 0
  for (let i = TAG.t6t_cs; i < TAG.t6t_cs + 3; i++)
    square += ((rows[row + i] as number) - (rows[other + i] as number)) ** 2
  return Math.sqrt(square)
}
