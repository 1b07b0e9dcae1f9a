// From where a scene is looked at, as numbers. z is up.
import type { ViewLimits } from './scene-frustum.ts'
import { carry, type Point3, placeOf, type QuaternionPose, turn } from './scene-pose.ts'

/** An eye, what it looks at, and how much of it is seen. */
export interface Viewpoint {
  readonly from: Point3
  readonly at: Point3
  readonly up: Point3
  /** How far the picture has to reach from its middle to the right and up, as tangents; less is never seen. */
  readonly reach: readonly [number, number]
  /** Whether one may go around; else the eye is somebody's. */
  readonly canTurn: boolean
}

const UP: Point3 = [0, 0, 1]
const ROOM = 1.08 // around what is to be seen

/** From an eye that can be moved; what is to be seen is in the picture whole. */
const freely = (from: Point3, at: Point3, seen: readonly Point3[]): Viewpoint => ({
  from,
  at,
  up: UP,
  reach: reachOf(from, at, seen),
  canTurn: true,
})

/** How far a picture has to reach so that points ahead of the eye are in it. */
export const reachOf = (from: Point3, at: Point3, points: readonly Point3[]): readonly [number, number] => {
  const ahead = unit(minus(at, from))
  const right = unit(cross(ahead, UP))
  const up = cross(right, ahead)
  const tangents = (axis: Point3) =>
    points.map((point) => Math.abs(dot(minus(point, from), axis) / dot(minus(point, from), ahead)))
  return [ROOM * Math.max(...tangents(right)), ROOM * Math.max(...tangents(up))]
}

const minus = ([ax, ay, az]: Point3, [bx, by, bz]: Point3): Point3 => [ax - bx, ay - by, az - bz]
const dot = ([ax, ay, az]: Point3, [bx, by, bz]: Point3): number => ax * bx + ay * by + az * bz
const cross = ([ax, ay, az]: Point3, [bx, by, bz]: Point3): Point3 => [
  ay * bz - az * by,
  az * bx - ax * bz,
  ax * by - ay * bx,
]
const unit = ([x, y, z]: Point3): Point3 => {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

const TALL_M = 2 // the walls of the stations

const cornersOf = ({ length_m, width_m }: Size): readonly Point3[] =>
  [0, length_m].flatMap((x) => [0, width_m].flatMap((y) => [0, TALL_M].map((z): Point3 => [x, y, z])))

interface Size {
  readonly length_m: number
  readonly width_m: number
}

/** All of a field, from above one of its long sides. */
export const fromOutside = (field: Size): Viewpoint => {
  const { length_m, width_m } = field
  return freely([length_m / 2, -width_m, length_m * 0.6], [length_m / 2, width_m * 0.42, 0], cornersOf(field))
}

const BEHIND_M = 2.2
const EYES_M = 1.9

/** As the drivers of an alliance see a field: from behind their wall, standing. */
export const fromStation = (side: 'blue' | 'red', field: Size): Viewpoint => {
  const { length_m, width_m } = field
  const [x, far] = side === 'blue' ? [-BEHIND_M, length_m] : [length_m + BEHIND_M, 0]
  const middle = length_m / 2
  return freely(
    [x, width_m / 2, EYES_M],
    [middle, width_m / 2, 0.2],
    [
      [middle, 0, 0],
      [middle, width_m, 0],
      [far, width_m / 2, TALL_M],
      [(middle + x) / 2, width_m / 2, 0],
    ],
  )
}

/** As a camera sees it. body: of the camera, on the field. */
export const fromCamera = (body: QuaternionPose, { left, right, top, bottom }: ViewLimits): Viewpoint => ({
  from: placeOf(body),
  at: carry(body, [1, -(left + right) / 2, -(top + bottom) / 2]),
  up: turn(body, UP),
  reach: [(right - left) / 2, (bottom - top) / 2],
  canTurn: false,
})

/** A robot at the origin, from the front, its left and above. size_m: its longest side. */
export const aroundRobot = (size_m: number): Viewpoint =>
  freely(
    [size_m * 2.2, size_m * 1.7, size_m * 1.6],
    [size_m * 0.2, 0, size_m * 0.3],
    [
      [size_m, -size_m, 0],
      [size_m, size_m, 0],
      [-size_m / 2, size_m / 2, size_m],
      [-size_m / 2, -size_m / 2, 0],
    ],
  )

/** From the lower edge of a picture to its upper one, in degrees, so that a reach is seen in it whole. */
export const heightDegOf = ([right, up]: Viewpoint['reach'], aspect: number): number =>
  (2 * Math.atan(Math.max(up, right / aspect)) * 180) / Math.PI

/** An eye that goes around what it looks at: to the right, up, and so many times as far. */
export const goAround = (from: Point3, at: Point3, right_deg: number, up_deg: number, times: number): Point3 => {
  const [x, y, z] = [from[0] - at[0], from[1] - at[1], from[2] - at[2]]
  const distance = Math.hypot(x, y, z)
  const around = Math.atan2(y, x) + (right_deg * Math.PI) / 180
  const above = Math.asin(z / distance) + (up_deg * Math.PI) / 180
  const height = Math.max(MIN_ABOVE, Math.min(MAX_ABOVE, above))
  const far = distance * times
  return [
    at[0] + far * Math.cos(height) * Math.cos(around),
    at[1] + far * Math.cos(height) * Math.sin(around),
    at[2] + far * Math.sin(height),
  ]
}

const MIN_ABOVE = -0.1 // radians: not from below the floor
const MAX_ABOVE = 1.5 // straight down there is no way around

/** The axes of a square that is seen from in front, of a tag that stands so: to the right, up, towards the eye. */
export const axesOfTag = (tag: QuaternionPose): readonly [Point3, Point3, Point3] => [
  turn(tag, [0, 1, 0]),
  turn(tag, [0, 0, 1]),
  turn(tag, [1, 0, 0]),
]
