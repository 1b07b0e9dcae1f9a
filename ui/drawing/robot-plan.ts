// The robot from three sides as a picture, and what it means there to move and to turn a camera.
// above: its front is up, its left is left. side: seen from its right, its front is right, up is up. front: seen from
// before it, its left is right, up is up.
import type { Documents } from '../api/documents.ts'
import { type AnglePose, fromAngles, type Point3, turn, wrapDeg } from './scene-pose.ts'

/** From where it is seen. */
export type RobotSide = 'above' | 'side' | 'front'

/** A place in the picture, from its top left corner; or a way, to the right and down. */
export type Pixel = readonly [number, number]

/** How a robot lies in a picture. */
export interface RobotPlan {
  readonly side: RobotSide
  readonly width_px: number
  readonly height_px: number
  readonly px_per_m: number
  /** Where the origin of the robot is. */
  readonly origin: Pixel
}

/** Whose size nobody has said. */
export const USUAL_ROBOT = { length_m: 0.75, width_m: 0.75, height_m: 0.5 }

/** As it is drawn: what nobody has said is usual. */
export const drawnSize = (robot: Documents['RobotDimensions'] | undefined) => ({
  length_m: robot?.length_m ?? USUAL_ROBOT.length_m,
  width_m: robot?.width_m ?? USUAL_ROBOT.width_m,
  height_m: robot?.height_m ?? USUAL_ROBOT.height_m,
})

const MARGIN_M = 0.3 // around the robot: cameras look out of it
const ASPECT = 1.1
const FLOOR_PX = 28

/** Lays a robot into a picture, with all its cameras. places: of the cameras. */
export const planOfRobot = (
  side: RobotSide,
  size: ReturnType<typeof drawnSize>,
  places: readonly Point3[],
  width_px: number,
): RobotPlan => {
  const height_px = Math.round(width_px / ASPECT)
  const reach = (axis: 0 | 1 | 2, half_m: number) =>
    Math.max(half_m, ...places.map((place) => Math.abs(place[axis]))) + MARGIN_M
  const [ahead, aside] = [reach(0, size.length_m / 2), reach(1, size.width_m / 2)]
  const above = reach(2, size.height_m)
  if (side === 'above') {
    const px_per_m = Math.min(width_px / (2 * aside), height_px / (2 * ahead))
    return { side, width_px, height_px, px_per_m, origin: [width_px / 2, height_px / 2] }
  }
  const across = side === 'side' ? ahead : aside
  const px_per_m = Math.min(width_px / (2 * across), (height_px - FLOOR_PX) / above)
  return { side, width_px, height_px, px_per_m, origin: [width_px / 2, height_px - FLOOR_PX] }
}

/** Which way of the robot is to the right in the picture, and which is up. */
const WAYS: Readonly<Record<RobotSide, { readonly right: Point3; readonly up: Point3 }>> = {
  above: { right: [0, -1, 0], up: [1, 0, 0] },
  side: { right: [1, 0, 0], up: [0, 0, 1] },
  front: { right: [0, 1, 0], up: [0, 0, 1] },
}

const along = ([ax, ay, az]: Point3, [bx, by, bz]: Point3): number => ax * bx + ay * by + az * bz

/** A way of the robot in the picture, in its unit: to the right and down. */
const toWay = (side: RobotSide, way: Point3): Pixel => [along(way, WAYS[side].right), -along(way, WAYS[side].up)]

/** Where a place of the robot is in the picture. */
export const toPixel = ({ side, origin, px_per_m }: RobotPlan, point: Point3): Pixel => {
  const [right, down] = toWay(side, point)
  return [origin[0] + right * px_per_m, origin[1] + down * px_per_m]
}

/** A corner of the picture's rectangle of a box that stands on the floor, and its size. */
export const boxOnPlan = (plan: RobotPlan, { length_m, width_m, height_m }: ReturnType<typeof drawnSize>) => {
  const across_m = { above: width_m, side: length_m, front: width_m }[plan.side]
  const upward_m = plan.side === 'above' ? length_m : height_m
  const [width, height] = [across_m * plan.px_per_m, upward_m * plan.px_per_m]
  const [x, y] = plan.origin
  return { x: x - width / 2, y: plan.side === 'above' ? y - height / 2 : y - height, width, height }
}

const cm = (m: number): number => Math.round(m * 100) / 100 + 0
const whole = (deg: number): number => Math.round(wrapDeg(deg)) + 0

const movedBy = (pose: AnglePose, side: RobotSide, right_m: number, up_m: number): AnglePose => {
  const { right, up } = WAYS[side]
  const by = (axis: 0 | 1 | 2) => right[axis] * right_m + up[axis] * up_m
  return { ...pose, x_m: pose.x_m + by(0), y_m: pose.y_m + by(1), z_m: pose.z_m + by(2) }
}

/** A pose whose place is at a pixel; how deep it lies in the picture stays. To the centimetre. */
export const moveTo = (plan: RobotPlan, pose: AnglePose, [x, y]: Pixel): AnglePose => {
  const [nowX, nowY] = toPixel(plan, [pose.x_m, pose.y_m, pose.z_m])
  const { x_m, y_m, z_m } = movedBy(pose, plan.side, (x - nowX) / plan.px_per_m, (nowY - y) / plan.px_per_m)
  return { ...pose, x_m: cm(x_m), y_m: cm(y_m), z_m: cm(z_m) }
}

/** A pose that is moved by steps of the picture. */
export const moveBy = (side: RobotSide, pose: AnglePose, right_m: number, up_m: number): AnglePose => {
  const { x_m, y_m, z_m } = movedBy(pose, side, right_m, up_m)
  return { ...pose, x_m: cm(x_m), y_m: cm(y_m), z_m: cm(z_m) }
}

/** Which angle is turned from a side: from above the yaw, from its right the pitch, from the front the roll. */
export const TURNED = { above: 'yaw_deg', side: 'pitch_deg', front: 'roll_deg' } as const

/** Whether a camera looks forward, as far as a side can tell: one that looks back is turned the other way round. */
const facing = ({ yaw_deg }: AnglePose): 1 | -1 => (Math.abs(wrapDeg(yaw_deg)) <= 90 ? 1 : -1)

/**
 * The way of the handle that turns a camera, of length 1 in the picture: from above and from the side where it looks,
 * from the front where its upper side is.
 */
export const handleOf = (side: RobotSide, pose: AnglePose): Pixel => {
  const own: Point3 = side === 'front' ? [0, 0, 1] : [1, 0, 0]
  const [right, down] = toWay(side, turn(fromAngles(pose), own))
  const length = Math.hypot(right, down)
  return length < 0.05 ? [0, -1] : [right / length, down / length] // it looks at us, or away
}

/** A pose that is turned so that its handle shows to a pixel. To the degree. */
export const turnTo = (plan: RobotPlan, pose: AnglePose, [x, y]: Pixel): AnglePose => {
  const [fromX, fromY] = toPixel(plan, [pose.x_m, pose.y_m, pose.z_m])
  const [right, up] = [x - fromX, fromY - y]
  const deg = (a: number, b: number) => whole((Math.atan2(a, b) * 180) / Math.PI)
  if (plan.side === 'above') return { ...pose, yaw_deg: deg(-right, up) }
  if (plan.side === 'front') return { ...pose, roll_deg: deg(-right * facing(pose), up) }
  const pitch = deg(-up, right * facing(pose))
  return { ...pose, pitch_deg: Math.max(-90, Math.min(90, pitch)) }
}

/** A pose that is turned by degrees about the axis of a side. */
export const turnBy = (side: RobotSide, pose: AnglePose, deg: number): AnglePose => {
  const angle = TURNED[side]
  const next = whole(pose[angle] + deg)
  return { ...pose, [angle]: angle === 'pitch_deg' ? Math.max(-90, Math.min(90, next)) : next }
}
