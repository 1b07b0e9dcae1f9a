// Where the robot would be by one tag alone, for rounds to which nobody gives a start: good enough to descend from.
import { at } from './arrays.ts'
import { turnStateAbout } from './pose-state.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

/** A plane that is faced squarely is its own mirror image. */
const HEAD_ON_SINE = 0.01

type Vector = readonly [number, number, number]

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by]
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const unit = (a: Vector): Vector => scaled(a, 1 / Math.hypot(...a))

/**
 * The robot's pose by one sighting into `state`, which is one of two: see `mirrorState`. False: its corners are none of
 * a square.
 */
export const squarePose = (n: number, sightings: Sightings, map: SolveMap, state: Float64Array): boolean => {
  const camera = at(sightings.cameraOf, n)
  const x = (k: number): number => at(sightings.pixels, 8 * n + 2 * k) / at(sightings.focal, 2 * camera)
  const y = (k: number): number => at(sightings.pixels, 8 * n + 2 * k + 1) / at(sightings.focal, 2 * camera + 1)
  // the square (0,0), (1,0), (1,1), (0,1) onto the four corners
  const [dx1, dx2, sx] = [x(1) - x(2), x(3) - x(2), x(0) - x(1) + x(2) - x(3)]
  const [dy1, dy2, sy] = [y(1) - y(2), y(3) - y(2), y(0) - y(1) + y(2) - y(3)]
  const det = dx1 * dy2 - dx2 * dy1
  const g = (sx * dy2 - dx2 * sy) / det
  const h = (dx1 * sy - sx * dy1) / det
  const right: Vector = [x(1) - x(0) + g * x(1), y(1) - y(0) + g * y(1), g]
  const up: Vector = [x(3) - x(0) + h * x(3), y(3) - y(0) + h * y(3), h]
  const scale = at(map.sizes, at(sightings.mapTag, n)) / ((Math.hypot(...right) + Math.hypot(...up)) / 2)
  const corner = scaled([x(0), y(0), 1], scale)
  const a = unit(right)
  const out = unit(cross(a, up)) // right x up, out of the face: towards the camera
  const b = cross(out, a)
  if (![...corner, ...a, ...b].every(Number.isFinite)) return false
  return placeRobot(n, sightings, map, [a, b, out], corner, state)
}

/** seen: right, up, and out of the face, and the first corner, all in the optical frame. */
const placeRobot = (
  n: number,
  { cameraOf, mapTag, mounts }: Sightings,
  map: SolveMap,
  seen: readonly Vector[],
  seenCorner: Vector,
  state: Float64Array,
): boolean => {
  const first = 12 * at(mapTag, n)
  const cornerOf = (k: number): Vector => [
    at(map.corners, first + 3 * k),
    at(map.corners, first + 3 * k + 1),
    at(map.corners, first + 3 * k + 2),
  ]
  const right = unit(minus(cornerOf(1), cornerOf(0)))
  const up = unit(minus(cornerOf(3), cornerOf(0)))
  const onField = [right, up, cross(right, up)]
  const mount = 12 * at(cameraOf, n)
  // field from optical: sum of onField_k seen_k'; robot from optical: the mount
  const fieldOptical = (row: number, column: number): number =>
    onField.reduce((sum, axis, k) => sum + (axis[row] as number) * ((seen[k] as Vector)[column] as number), 0)
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) {
      let sum = 0
      for (let k = 0; k < 3; k++) sum += fieldOptical(row, k) * at(mounts, mount + 3 + 3 * column + k)
      state[3 + 3 * row + column] = sum
    }
  for (let row = 0; row < 3; row++) {
    let place = cornerOf(0)[row] as number
    for (let k = 0; k < 3; k++) place -= fieldOptical(row, k) * (seenCorner[k] as number)
    for (let k = 0; k < 3; k++) place -= at(state, 3 + 3 * row + k) * at(mounts, mount + k)
    state[row] = place
  }
  return state.every(Number.isFinite)
}

/**
 * The other pose from which tags in one plane look nearly alike: the robot turned about their middle, as if the plane
 * were tilted to the other side of the line of sight. False: the plane is faced squarely, and both are one. n: any of
 * the sightings, for its plane and its camera.
 */
export const mirrorState = (
  from: Float64Array,
  n: number,
  middle: Vector,
  { cameraOf, mapTag, mounts }: Sightings,
  map: SolveMap,
  to: Float64Array,
): boolean => {
  const mount = 12 * at(cameraOf, n)
  const arm = (row: number): number =>
    at(from, 3 + 3 * row) * at(mounts, mount) +
    at(from, 4 + 3 * row) * at(mounts, mount + 1) +
    at(from, 5 + 3 * row) * at(mounts, mount + 2)
  const camera: Vector = [at(from, 0) + arm(0), at(from, 1) + arm(1), at(from, 2) + arm(2)]
  const sight = unit(minus(middle, camera))
  const tag = 3 * at(mapTag, n)
  const normal: Vector = [at(map.normals, tag), at(map.normals, tag + 1), at(map.normals, tag + 2)]
  const axis = cross(normal, sight)
  const sine = Math.hypot(...axis)
  if (!(sine > HEAD_ON_SINE)) return false
  // the field turns by twice the angle between normal and sight: the robot by as much the other way
  const angle = -2 * Math.atan2(sine, dot(normal, sight))
  turnStateAbout(from, middle, scaled(axis, angle / sine), to)
  return to.every(Number.isFinite)
}
