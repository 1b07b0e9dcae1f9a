// The tags of one frame with everything the vendor's keys say of each: one packed row per tag, the primary tag first,
// reused frame after frame.

import { NO_POSE } from '../engine/no-pose.ts'
import type { Result, Rows } from '../engine/result.ts'
import { compose, invert, type Pose, poseAt, rotate } from '../localization/pose.ts'
import { tagKey } from '../localization/tag-key.ts'
import { rightDeg, robotInField, upDeg, writeCentrePose, writePose } from './geometry.ts'
import { byOneTag, robotByHeading } from './heading.ts'
import type { SizedInstallation } from './installation.ts'
import { undistort } from './lens.ts'
import { type LiveControls, NO_LIVE_CONTROLS } from './live.ts'
import { quadArea } from './quad.ts'
import { areSane, column, firstOfKind, isPose } from './rows.ts'

/**
 * Where a row has what. id to ambiguity are one entry of `rawfiducials` and of botpose's tail, in their order.
 *
 * tx, ty, aimDistance: of the point that the robot aims at; all else is of the tag itself. area: 0 to 1, undistorted.
 * fielded: 1 when the tag stands in the field map, has a pose, is seen once and is one of those that the robot wants to
 * be found from: then the solver uses it. The poses are six numbers each, zeros when unknown; noPose: then a place in
 * NO_POSE and 1, else 0. corners: pixels of the whole picture, clockwise from the tag's own top left.
 */
export const TAG = {
  id: 0,
  txnc: 1,
  tync: 2,
  area: 3,
  cameraDistance: 4,
  robotDistance: 5,
  ambiguity: 6,
  family: 7,
  fielded: 8,
  tx: 9,
  ty: 10,
  centreX: 11,
  centreY: 12,
  t6c_ts: 13,
  t6r_fs: 19,
  t6r_ts: 25,
  t6t_cs: 31,
  t6t_rs: 37,
  corners: 43,
  aimDistance: 51,
  t6r_fs_orb: 52,
  noPose: 58,
} as const

export const TAG_STRIDE = 59

/** The vendor's own limit on its raw arrays. */
export const MAX_TAGS = 32

/** How many numbers `rawfiducials` has per tag. */
export const RAW_STRIDE = 7

const DETECTION = {
  id: column('detections', 'id'),
  centre: column('detections', 'cx_px'),
  corners: column('detections', 'x0_px'),
}
const TAG_POSE = {
  id: column('tag_poses', 'id'),
  ambiguity: column('tag_poses', 'ambiguity'),
  pose: column('tag_poses', 'camera_tag_x_m'),
  noPose: column('tag_poses', 'no_pose'),
}
const UNSOLVED = 1 + NO_POSE.indexOf('unsolved')

type Aim = Pick<LiveControls, 'priority_id' | 'aim_m'>

/** The tags of the newest frame. */
export class Fiducials {
  /** Row n begins at n * TAG_STRIDE. One spare row at the end. */
  readonly rows = new Float64Array((MAX_TAGS + 1) * TAG_STRIDE)
  readonly #ideal = new Float64Array(8)
  #byHeading: Pose | undefined
  #count = 0
  #hasPrimary = false

  get count(): number {
    return this.#count
  }

  /** Whether the first one is what the robot aims at. */
  get hasPrimary(): boolean {
    return this.#hasPrimary
  }

  /** How many of them the solver uses for the robot's pose. */
  get fielded(): number {
    let fielded = 0
    for (let n = 0; n < this.#count; n++) fielded += this.#at(n * TAG_STRIDE, TAG.fielded)
    return fielded
  }

  clear(): void {
    this.#count = 0
    this.#hasPrimary = false
  }

  /**
   * Takes in a frame. The tag that fills most of the picture becomes the primary one, of those with the id that the
   * robot has named if it has; the others keep their order. aim_m moves only where the robot aims: the poses and the
   * arrays of numbers stay the tags' own.
   */
  read(result: Result, sized: SizedInstallation, { priority_id, aim_m }: Aim = NO_LIVE_CONTROLS): void {
    this.clear()
    const seen = firstOfKind(result, 'detections')
    const posed = firstOfKind(result, 'tag_poses')
    if (!seen) return
    this.#byHeading = robotByHeading(result)
    let primary = -1
    for (let n = 0; n < seen.count && this.#count < MAX_TAGS; n++) {
      const at = seen.offset + n * seen.stride
      if (!areSane(result.data, at, seen.stride)) continue
      const row = this.#count * TAG_STRIDE
      this.#readDetection(result.data, at, row, sized)
      this.#readPose(result.data, posed ? poseOf(result.data, posed, n, at) : -1, row, sized, aim_m)
      const isCandidate = priority_id === null || this.#at(row, TAG.id) === priority_id
      if (isCandidate && (primary < 0 || this.#at(row, TAG.area) > this.#at(primary, TAG.area))) primary = row
      this.#count++
    }
    this.#disownDoubles()
    this.#hasPrimary = primary >= 0
    if (primary > 0) this.#moveToFront(primary)
  }

  /** A field has each id once: one that is seen twice is a reflection or a forgery, and the solver leaves both out. */
  #disownDoubles(): void {
    const end = this.#count * TAG_STRIDE
    for (let row = 0; row < end; row += TAG_STRIDE) {
      for (let other = row + TAG_STRIDE; other < end; other += TAG_STRIDE) {
        if (this.#at(row, TAG.id) !== this.#at(other, TAG.id)) continue
        if (this.#at(row, TAG.family) !== this.#at(other, TAG.family)) continue
        this.rows[row + TAG.fielded] = 0
        this.rows[other + TAG.fielded] = 0
      }
    }
  }

  #at(row: number, field: number): number {
    return this.rows[row + field] as number
  }

  #readDetection(data: Float64Array, at: number, row: number, { lens }: SizedInstallation): void {
    const { rows } = this
    const ideal = this.#ideal
    const centreX = data[at + DETECTION.centre] as number
    const centreY = data[at + DETECTION.centre + 1] as number
    undistort(lens, centreX, centreY, ideal, 0)
    rows[row + TAG.txnc] = rightDeg(ideal[0] as number, 1)
    rows[row + TAG.tync] = upDeg(ideal[1] as number, 1)
    for (let corner = 0; corner < 4; corner++) {
      const from = at + DETECTION.corners + 2 * corner
      // libapriltag begins at the bottom left and runs the other way round
      const to = row + TAG.corners + 2 * (3 - corner)
      const u = data[from] as number
      const v = data[from + 1] as number
      rows[to] = u + lens.cornerX
      rows[to + 1] = v + lens.cornerY
      undistort(lens, u, v, ideal, 2 * corner)
    }
    rows[row + TAG.family] = data[at] as number
    rows[row + TAG.id] = data[at + DETECTION.id] as number
    rows[row + TAG.centreX] = centreX + lens.cornerX
    rows[row + TAG.centreY] = centreY + lens.cornerY
    rows[row + TAG.area] = share(quadArea(ideal, 0) * lens.shareOfUnitArea)
  }

  /** at: the tag's row of poses, or below zero. */
  #readPose(data: Float64Array, at: number, row: number, sized: SizedInstallation, aim: Aim['aim_m']): void {
    const { rows } = this
    const posed = at >= 0 && isPose(data, at + TAG_POSE.pose)
    if (posed) {
      this.#writePoses(data, at, row, sized)
      if (aim) this.#aimBeside(poseAt(data, at + TAG_POSE.pose), aim, row, sized)
    } else {
      rows.fill(0, row + TAG.t6c_ts, row + TAG.corners)
      rows.fill(0, row + TAG.t6r_fs_orb, row + TAG.noPose)
      rows[row + TAG.cameraDistance] = 0
      rows[row + TAG.robotDistance] = 0
      rows[row + TAG.ambiguity] = 1 // nothing speaks for this tag
      rows[row + TAG.fielded] = 0
      rows[row + TAG.aimDistance] = 0
    }
    const why = at >= 0 ? (data[at + TAG_POSE.noPose] as number) : 0
    rows[row + TAG.noPose] = posed ? 0 : why > 0 ? why : UNSOLVED
    if (posed && aim) return
    rows[row + TAG.tx] = this.#at(row, TAG.txnc) - sized.lens.crosshairRightDeg
    rows[row + TAG.ty] = this.#at(row, TAG.tync) - sized.lens.crosshairUpDeg
  }

  #aimBeside(
    tagInCamera: Pose,
    aim: readonly [number, number, number],
    row: number,
    { lens }: SizedInstallation,
  ): void {
    const { rows } = this
    const [right, down, ahead] = rotate(tagInCamera, ...aim)
    const x = tagInCamera.x + right
    const y = tagInCamera.y + down
    const z = tagInCamera.z + ahead
    rows[row + TAG.tx] = rightDeg(x, z) - lens.crosshairRightDeg
    rows[row + TAG.ty] = upDeg(y, z) - lens.crosshairUpDeg
    rows[row + TAG.aimDistance] = length(x, y, z)
  }

  #writePoses(data: Float64Array, at: number, row: number, sized: SizedInstallation): void {
    const { rows } = this
    const tagInCamera = poseAt(data, at + TAG_POSE.pose)
    const tagInRobot = compose(sized.cameraInRobot, tagInCamera)
    const robotInTag = invert(tagInRobot)
    const ambiguity = data[at + TAG_POSE.ambiguity] as number
    const target = sized.targets.get(tagKey(data[at] as number, data[at + TAG_POSE.id] as number))
    writePose(rows, row + TAG.t6c_ts, invert(tagInCamera))
    writePose(rows, row + TAG.t6r_ts, robotInTag)
    writePose(rows, row + TAG.t6t_cs, tagInCamera)
    writePose(rows, row + TAG.t6t_rs, tagInRobot)
    if (target) writeCentrePose(rows, row + TAG.t6r_fs, robotInField(target, robotInTag), sized.field)
    else rows.fill(0, row + TAG.t6r_fs, row + TAG.t6r_fs + 6)
    const robot = target && this.#byHeading && byOneTag(this.#byHeading, target, tagInRobot)
    if (robot) writeCentrePose(rows, row + TAG.t6r_fs_orb, robot, sized.field)
    else rows.fill(0, row + TAG.t6r_fs_orb, row + TAG.noPose)
    rows[row + TAG.txnc] = rightDeg(tagInCamera.x, tagInCamera.z)
    rows[row + TAG.tync] = upDeg(tagInCamera.y, tagInCamera.z)
    rows[row + TAG.cameraDistance] = length(tagInCamera.x, tagInCamera.y, tagInCamera.z)
    rows[row + TAG.aimDistance] = rows[row + TAG.cameraDistance] as number
    rows[row + TAG.robotDistance] = length(tagInRobot.x, tagInRobot.y, tagInRobot.z)
    rows[row + TAG.ambiguity] = ambiguity >= 0 && ambiguity <= 1 ? ambiguity : 1
    rows[row + TAG.fielded] = target && sized.solvesFrom(data[at + TAG_POSE.id] as number) ? 1 : 0
  }

  #moveToFront(row: number): void {
    const spare = MAX_TAGS * TAG_STRIDE
    this.rows.copyWithin(spare, row, row + TAG_STRIDE)
    this.rows.copyWithin(TAG_STRIDE, 0, row)
    this.rows.copyWithin(0, spare, spare + TAG_STRIDE)
  }
}

/** A figure as 0 to 1; what is no number at all is 0. */
const share = (value: number): number => (value > 0 ? Math.min(1, value) : 0)

const length = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z)

/** The row of poses of the n-th detection: normally the n-th too, else the one of the same family and id. -1: none. */
const poseOf = (data: Float64Array, posed: Rows, n: number, detection: number): number => {
  const isOf = (row: number) =>
    data[row] === data[detection] && data[row + TAG_POSE.id] === data[detection + DETECTION.id]
  const nth = posed.offset + n * posed.stride
  if (n < posed.count && isOf(nth)) return nth
  for (let row = 0; row < posed.count; row++) {
    const at = posed.offset + row * posed.stride
    if (isOf(at)) return at
  }
  return -1
}
