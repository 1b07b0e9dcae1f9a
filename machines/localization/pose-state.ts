// A pose while it is solved for: three numbers of its place and nine of its rotation, by rows.
import { add, at } from './arrays.ts'
import type { Pose } from './pose.ts'

/** x, y, z, then the rotation matrix by rows. */
export const STATE_LENGTH = 12

/** False: it is none, or not finite. A quaternion of another length than one is made one. */
export const stateOfPose = ({ x, y, z, qw, qx, qy, qz }: Pose, state: Float64Array, first = 0): boolean => {
  const length = Math.hypot(qw, qx, qy, qz)
  if (!(length > 0.1 && length < 10 && Math.abs(x) + Math.abs(y) + Math.abs(z) < 1e6)) return false
  const [w, i, j, k] = [qw / length, qx / length, qy / length, qz / length]
  state[first] = x
  state[first + 1] = y
  state[first + 2] = z
  state[first + 3] = 1 - 2 * (j * j + k * k)
  state[first + 4] = 2 * (i * j - w * k)
  state[first + 5] = 2 * (i * k + w * j)
  state[first + 6] = 2 * (i * j + w * k)
  state[first + 7] = 1 - 2 * (i * i + k * k)
  state[first + 8] = 2 * (j * k - w * i)
  state[first + 9] = 2 * (i * k - w * j)
  state[first + 10] = 2 * (j * k + w * i)
  state[first + 11] = 1 - 2 * (i * i + j * j)
  return true
}

export const poseOfState = (state: Float64Array): Pose => {
  const [r0, r1, r2] = [at(state, 3), at(state, 4), at(state, 5)]
  const [r3, r4, r5] = [at(state, 6), at(state, 7), at(state, 8)]
  const [r6, r7, r8] = [at(state, 9), at(state, 10), at(state, 11)]
  // by the largest of the four, which is at least a half: no loss of digits near half a turn
  const trace = r0 + r4 + r8
  let [qw, qx, qy, qz] = [1 + trace, r7 - r5, r2 - r6, r3 - r1]
  if (trace <= 0 && r0 >= r4 && r0 >= r8) [qw, qx, qy, qz] = [r7 - r5, 1 + r0 - r4 - r8, r1 + r3, r2 + r6]
  else if (trace <= 0 && r4 >= r8) [qw, qx, qy, qz] = [r2 - r6, r1 + r3, 1 + r4 - r0 - r8, r5 + r7]
  else if (trace <= 0) [qw, qx, qy, qz] = [r3 - r1, r2 + r6, r5 + r7, 1 + r8 - r0 - r4]
  const scale = (qw < 0 ? -1 : 1) / Math.hypot(qw, qx, qy, qz)
  return {
    x: at(state, 0),
    y: at(state, 1),
    z: at(state, 2),
    qw: qw * scale,
    qx: qx * scale,
    qy: qy * scale,
    qz: qz * scale,
  }
}

/** Moves by three metres and turns by three radians about the axes of the field. */
export const moveState = (from: Float64Array, step: Float64Array, to: Float64Array): void => {
  for (let k = 0; k < 3; k++) to[k] = at(from, k) + at(step, k)
  turnState(from, at(step, 3), at(step, 4), at(step, 5), to)
}

/** Only its rotation. */
const turnState = (from: Float64Array, x: number, y: number, z: number, to: Float64Array): void => {
  const angle = Math.sqrt(x * x + y * y + z * z)
  const sine = angle > 1e-9 ? Math.sin(angle) / angle : 1
  const versine = angle > 1e-9 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5
  for (let column = 3; column < 6; column++) {
    const a = at(from, column)
    const b = at(from, column + 3)
    const c = at(from, column + 6)
    // v + sine (w x v) + versine (w x (w x v))
    const ca = y * c - z * b
    const cb = z * a - x * c
    const cc = x * b - y * a
    to[column] = a + sine * ca + versine * (y * cc - z * cb)
    to[column + 3] = b + sine * cb + versine * (z * ca - x * cc)
    to[column + 6] = c + sine * cc + versine * (x * cb - y * ca)
  }
}

/** About a place on the field; axis of length one. */
export const turnStateAbout = (
  from: Float64Array,
  place: readonly [number, number, number],
  turn: readonly [number, number, number],
  to: Float64Array,
): void => {
  const arm = [at(from, 0) - place[0], at(from, 1) - place[1], at(from, 2) - place[2]] as const
  const angle = Math.hypot(...turn)
  const sine = angle > 1e-9 ? Math.sin(angle) / angle : 1
  const versine = angle > 1e-9 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5
  const once = cross(turn, arm)
  const twice = cross(turn, once)
  for (let k = 0; k < 3; k++)
    to[k] = (place[k] as number) + (arm[k] as number) + sine * (once[k] as number) + versine * (twice[k] as number)
  turnState(from, turn[0], turn[1], turn[2], to)
}

type Vector = readonly [number, number, number]

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** How far apart two are, metres. */
export const distanceOf = (a: Float64Array, b: Float64Array): number =>
  Math.hypot(at(a, 0) - at(b, 0), at(a, 1) - at(b, 1), at(a, 2) - at(b, 2))

/** The turn from the first to the second about the axes of the field: radians, into `out`, three numbers. */
export const turnBetween = (from: Float64Array, to: Float64Array, out: Float64Array): void => {
  // to from': its skew part is the sine times the axis
  const entry = (row: number, column: number): number => {
    let sum = 0
    for (let k = 0; k < 3; k++) sum += at(to, 3 + 3 * row + k) * at(from, 3 + 3 * column + k)
    return sum
  }
  const x = (entry(2, 1) - entry(1, 2)) / 2
  const y = (entry(0, 2) - entry(2, 0)) / 2
  const z = (entry(1, 0) - entry(0, 1)) / 2
  const sine = Math.sqrt(x * x + y * y + z * z)
  const angle = Math.atan2(sine, (entry(0, 0) + entry(1, 1) + entry(2, 2) - 1) / 2)
  const scale = sine > 1e-9 ? angle / sine : 1
  out[0] = x * scale
  out[1] = y * scale
  out[2] = z * scale
}

export const yawOfState = (state: Float64Array): number => Math.atan2(at(state, 6), at(state, 3))

/** Keeps its rotation one: rounding adds up. */
export const straighten = (state: Float64Array): void => {
  for (let row = 3; row < 12; row += 3) {
    for (let other = 3; other < row; other += 3) {
      const dot =
        at(state, row) * at(state, other) +
        at(state, row + 1) * at(state, other + 1) +
        at(state, row + 2) * at(state, other + 2)
      for (let k = 0; k < 3; k++) add(state, row + k, -dot * at(state, other + k))
    }
    const length = Math.hypot(at(state, row), at(state, row + 1), at(state, row + 2))
    for (let k = 0; k < 3; k++) state[row + k] = at(state, row + k) / length
  }
}
