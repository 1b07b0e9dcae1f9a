// The field from above as a picture: x to the right (blue wall left, red wall right), y up.
import type { Documents } from '../api/documents.ts'
import type { MapTag } from './field-tags.ts'
import { frustumOf, outlineOf, type ViewLimits } from './scene-frustum.ts'
import { carry, type QuaternionPose } from './scene-pose.ts'

/** A place in the picture, in pixels from its top left corner. */
export type Pixel = readonly [number, number]

/** How a field lies in a picture. */
export interface FieldPlan {
  readonly width_px: number
  readonly height_px: number
  readonly px_per_m: number
  /** Where a place of the field is in the picture. */
  readonly toPixel: (x_m: number, y_m: number) => Pixel
}

/** Around the field, for the walls and what hangs on them. */
export const MARGIN_PX = 12

/** Lays a field into a picture of a width; its height follows. */
export const planOf = (
  { length_m, width_m }: Pick<Documents['FieldMap'], 'length_m' | 'width_m'>,
  width_px: number,
) => {
  const px_per_m = Math.max(1, width_px - 2 * MARGIN_PX) / length_m
  const height_px = width_m * px_per_m + 2 * MARGIN_PX
  return {
    width_px,
    height_px,
    px_per_m,
    toPixel: (x_m, y_m) => [MARGIN_PX + x_m * px_per_m, height_px - MARGIN_PX - y_m * px_per_m],
  } satisfies FieldPlan
}

/** A tag from above: its two ends, and where its number stands, on the side that it faces. */
export interface TagMark {
  readonly from: Pixel
  readonly to: Pixel
  readonly middle: Pixel
  readonly label: Pixel
}

const MIN_TAG_PX = 9 // a tag as large as it is would hardly be seen
const LABEL_PX = 12

/** Where a tag of a map is drawn. */
export const markOfTag = (plan: FieldPlan, pose: Documents['Pose'], size_m: number): TagMark => {
  const [x, y] = plan.toPixel(pose.x_m, pose.y_m)
  const facing = (pose.yaw_deg * Math.PI) / 180
  const half = Math.max(MIN_TAG_PX, size_m * plan.px_per_m) / 2
  const [alongX, alongY] = [-Math.sin(facing) * half, -Math.cos(facing) * half]
  return {
    from: [x - alongX, y - alongY],
    to: [x + alongX, y + alongY],
    middle: [x, y],
    label: [x + Math.cos(facing) * LABEL_PX, y - Math.sin(facing) * LABEL_PX],
  }
}

const DIGIT_PX = 6.5
const LINE_PX = 11
const ROUNDS = 6

/** Where the numbers of tags stand, so that none is on another: those of tags side by side are moved apart. */
export const placeNumbers = (plan: FieldPlan, tags: readonly MapTag[]): ReadonlyMap<string, Pixel> => {
  const numbers = tags.map(({ key, id, pose, size_m }) => {
    const [x, y] = markOfTag(plan, pose, size_m).label
    return { key, x, y, width: String(id).length * DIGIT_PX + 3 }
  })
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [n, one] of numbers.entries())
      for (const other of numbers.slice(n + 1)) {
        const over = (one.width + other.width) / 2 - Math.abs(one.x - other.x)
        const under = LINE_PX - Math.abs(one.y - other.y)
        if (over <= 0 || under <= 0) continue
        if (over < under) moveApart(one, other, 'x', over)
        else moveApart(one, other, 'y', under)
      }
  return new Map(numbers.map(({ key, x, y }) => [key, [x, y]]))
}

interface Movable {
  x: number
  y: number
}

const moveApart = (one: Movable, other: Movable, axis: 'x' | 'y', by: number): void => {
  const side = one[axis] <= other[axis] ? 1 : -1
  one[axis] -= (side * by) / 2
  other[axis] += (side * by) / 2
}

/** The corners of the robot from above: front left, front right, back right, back left. */
export const cornersOfRobot = (plan: FieldPlan, pose: QuaternionPose, length_m: number, width_m: number) =>
  [
    [length_m / 2, width_m / 2],
    [length_m / 2, -width_m / 2],
    [-length_m / 2, -width_m / 2],
    [-length_m / 2, width_m / 2],
  ].map(([x = 0, y = 0]) => toPlan(plan, carry(pose, [x, y, 0])))

/** The mark of its heading: a triangle whose tip is at the front. */
export const arrowOfRobot = (plan: FieldPlan, pose: QuaternionPose, length_m: number, width_m: number) =>
  [
    [length_m / 2, 0],
    [length_m / 8, width_m / 4],
    [length_m / 8, -width_m / 4],
  ].map(([x = 0, y = 0]) => toPlan(plan, carry(pose, [x, y, 0])))

const toPlan = (plan: FieldPlan, [x, y]: readonly [number, number, number]): Pixel => plan.toPixel(x, y)

/** How far the pyramid of a camera is drawn. */
export const FRUSTUM_M = 4

/** What a camera sees from above, as an outline. */
export const outlineOfView = (plan: FieldPlan, body: QuaternionPose, limits: ViewLimits): readonly Pixel[] =>
  outlineOf(frustumOf(body, limits, FRUSTUM_M).map(([x, y]) => [x, y])).map(([x, y]) => plan.toPixel(x, y))

/** Where the robot is with a chance of 989 in 1000 if both directions are by themselves: three deviations each. */
export const SIGMAS = 3

/** An ellipse in the picture; its axes are those of the field. */
export interface Ellipse {
  readonly centre: Pixel
  readonly radius_x_px: number
  readonly radius_y_px: number
}

/** Three standard deviations around a pose. */
export const ellipseOf = (
  plan: FieldPlan,
  { x_m, y_m }: Pick<QuaternionPose, 'x_m' | 'y_m'>,
  deviations: Pick<Documents['Deviations'], 'x_m' | 'y_m'>,
): Ellipse => ({
  centre: plan.toPixel(x_m, y_m),
  radius_x_px: SIGMAS * deviations.x_m * plan.px_per_m,
  radius_y_px: SIGMAS * deviations.y_m * plan.px_per_m,
})

/** Points as SVG has them, to a tenth of a pixel. */
export const pointsOf = (points: readonly Pixel[]): string =>
  points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
