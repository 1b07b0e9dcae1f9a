// What was found in a frame, as figures: the robot on the field, each tag, how far off the truth it is.
import type { Documents } from '../../api/client.ts'
import type { FrameFacts } from '../../pictures/messages.ts'

type FieldPose = Documents['FieldPose']
type Place = Documents['QuaternionPose']

/** Where the robot is. */
export interface RobotPlace {
  readonly xM: number
  readonly yM: number
  readonly yawDeg: number
  readonly deviations: Documents['Deviations']
}

/** A tag. */
export interface FoundTag {
  readonly key: string
  readonly id: number
  readonly distanceM: number | null
  readonly margin: number | null
  readonly ambiguity: number | null
}

/** How far a pose is from the truth. */
export interface Off {
  readonly distanceM: number
  readonly angleDeg: number
}

const RIGHT_ANGLE = 180
const inDeg = (rad: number): number => (rad * RIGHT_ANGLE) / Math.PI

/** About the z axis, -180 to 180. */
export const yawOf = ({ qw, qx, qy, qz }: Place): number =>
  inDeg(Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)))

const rowsOf = <Row>(facts: FrameFacts, kind: string): readonly Row[] =>
  (Object.values(facts.outputs).find((output) => output.kind === kind)?.rows as readonly Row[]) ?? []

/** Where the robot was in a frame; undefined: no pose was solved. */
export const robotOf = (facts: FrameFacts): RobotPlace | undefined => {
  const [pose] = rowsOf<FieldPose>(facts, 'field_pose')
  if (!pose) return undefined
  const { x_m, y_m } = pose.field_robot
  return { xM: x_m, yM: y_m, yawDeg: yawOf(pose.field_robot), deviations: pose.deviations }
}

/** The tags of a frame, by their number. */
export const tagsOf = (facts: FrameFacts): readonly FoundTag[] => {
  const poses = rowsOf<Documents['TagPose']>(facts, 'tag_poses')
  return rowsOf<Documents['Detection']>(facts, 'detections')
    .map(({ id, family, margin }, index) => {
      const pose = poses.find((each) => each.id === id && each.family === family)
      const at = pose?.camera_tag
      return {
        key: `${family} ${id} ${index}`,
        id,
        distanceM: at ? Math.hypot(at.x_m, at.y_m, at.z_m) : null,
        margin,
        ambiguity: pose?.ambiguity ?? null,
      }
    })
    .toSorted((one, other) => one.id - other.id)
}

/** A tag of two pictures. */
export interface ComparedTag {
  readonly key: string
  readonly id: number
  /** undefined: both have it. */
  readonly onlyIn: 'left' | 'right' | undefined
  /** Of its middle in one from that in the other, in pixels; null: one has it alone, or the pictures differ in size. */
  readonly apartPx: number | null
  /** Of the left margin less that of the right; null: one has it alone. */
  readonly marginMore: number | null
}

const namedTags = (facts: FrameFacts): ReadonlyMap<string, Documents['Detection']> =>
  new Map(rowsOf<Documents['Detection']>(facts, 'detections').map((tag) => [`${tag.family} ${tag.id}`, tag]))

/** The tags of two pictures, by their number: which one of them has alone, and how far apart the others are. */
export const compareTags = (left: FrameFacts, right: FrameFacts): readonly ComparedTag[] => {
  const [ofLeft, ofRight] = [namedTags(left), namedTags(right)]
  const isOneSize = left.widthPx === right.widthPx && left.heightPx === right.heightPx
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])]
    .map((key): ComparedTag => {
      const [one, other] = [ofLeft.get(key), ofRight.get(key)]
      const id = (one ?? other)?.id ?? 0
      if (!one || !other) return { key, id, onlyIn: one ? 'left' : 'right', apartPx: null, marginMore: null }
      const apartPx = Math.hypot(one.center.x_px - other.center.x_px, one.center.y_px - other.center.y_px)
      return {
        key,
        id,
        onlyIn: undefined,
        apartPx: isOneSize ? apartPx : null,
        marginMore: one.margin - other.margin,
      }
    })
    .toSorted((one, other) => one.id - other.id)
}

/** How far the solved pose of the robot is from where it was; undefined: one of them is not known. */
export const offOf = (facts: FrameFacts): Off | undefined => {
  const [pose] = rowsOf<FieldPose>(facts, 'field_pose')
  const [truth] = rowsOf<Documents['Truth']>(facts, 'truth')
  if (!pose || !truth) return undefined
  return differenceOf(pose.field_robot, truth.field_robot)
}

/** Between two places. */
export const differenceOf = (one: Place, other: Place): Off => {
  const along = Math.abs(one.qw * other.qw + one.qx * other.qx + one.qy * other.qy + one.qz * other.qz)
  return {
    distanceM: Math.hypot(one.x_m - other.x_m, one.y_m - other.y_m, one.z_m - other.z_m),
    angleDeg: inDeg(2 * Math.acos(Math.min(1, along))),
  }
}

/** The solved place of the robot in a frame. */
export const placeOf = (facts: FrameFacts): Place | undefined => rowsOf<FieldPose>(facts, 'field_pose')[0]?.field_robot

const KINDS: Readonly<Record<string, string>> = {
  contours: 'contour',
  targets: 'target',
  circles: 'circle',
  objects: 'object',
  classes: 'class',
  barcodes: 'barcode',
}

/** What else was found, by the names of the outputs: how many of what. */
export const othersOf = (
  facts: FrameFacts,
): readonly { readonly port: string; readonly one: string; count: number }[] =>
  Object.entries(facts.outputs).flatMap(([port, { kind, rows }]) =>
    kind in KINDS ? [{ port, one: KINDS[kind] as string, count: rows.length }] : [],
  )
