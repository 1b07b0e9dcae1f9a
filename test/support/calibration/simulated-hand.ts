// A person who holds a board where an outline over the live picture says, as well as people do.
import type { Place } from '../../../machines/calibration/capture-look.ts'
import { type Pose, type PoseDocument, poseToDocument, rotate } from '../../../machines/localization/pose.ts'
import { mulberry32 } from '../mulberry32.ts'
import { project, TRUE_LENS } from './simulated-set.ts'

/** A board, millimetres. */
export interface BoardSize {
  readonly width_mm: number
  readonly height_mm: number
}

/** Along x, y and z of the camera's optical frame, metres, then a rotation vector, radians. */
type Held = readonly number[]

const ROUNDS = 60
const STEP = 1e-6
const MIN_DEPTH_M = 0.05

/** Where the corners of a board that is held so are seen, clockwise from its upper left. */
export const outlineOf = (held: Held, { width_mm, height_mm }: BoardSize): readonly Place[] => {
  const pose = opticalPose(held)
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([across = 0, down = 0]) => {
    const [x, y, z] = rotate(pose, (across * width_mm) / 2000, (down * height_mm) / 2000, 0)
    const depth = Math.max(MIN_DEPTH_M, pose.z + z)
    return project([(pose.x + x) / depth, (pose.y + y) / depth])
  })
}

/** The hand of one person: where it is, as `source.board.pose` takes it. miss: of the board's size, one sigma. */
export const simulatedHand = (board: BoardSize, seed: number, miss: number) => {
  const random = mulberry32(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return {
    /** Follows an outline; nearer: the side that is nearer to the camera. */
    follow: (outline: readonly Place[], nearer: string): PoseDocument => {
      const size = Math.max(...outline.map(([u], n) => Math.abs(u - (outline[(n + 1) % 4] as Place)[0])))
      const wanted = outline.map(([u, v]): Place => [u + normal() * miss * size, v + normal() * miss * size])
      return bodyPose(fitted(wanted, firstGuess(wanted, nearer, board), board))
    },
    /** In the middle of the picture, as anybody would begin. */
    begin: (): PoseDocument => bodyPose([0, 0, (TRUE_LENS[0] * board.width_mm) / 1000 / 700, 0, 0.3, 0]),
  }
}

const firstGuess = (outline: readonly Place[], nearer: string, { width_mm }: BoardSize): Held => {
  const [u, v] = [0, 1].map((axis) => outline.reduce((sum, place) => sum + (place[axis] as number) / 4, 0))
  const top = Math.hypot(
    (outline[1] as Place)[0] - (outline[0] as Place)[0],
    (outline[1] as Place)[1] - (outline[0] as Place)[1],
  )
  const depth = (TRUE_LENS[0] * width_mm) / 1000 / Math.max(50, top)
  const tilt = 0.5
  const turns = { left: [0, -tilt], right: [0, tilt], top: [tilt, 0], bottom: [-tilt, 0] } as const
  const [rx, ry] = turns[nearer as keyof typeof turns] ?? [0, 0]
  const at = [((u as number) - TRUE_LENS[2]) / TRUE_LENS[0], ((v as number) - TRUE_LENS[3]) / TRUE_LENS[1]]
  return [(at[0] as number) * depth, (at[1] as number) * depth, depth, rx, ry, 0]
}

/** The pose whose outline fits best: Levenberg-Marquardt with differences. */
const fitted = (wanted: readonly Place[], guess: Held, board: BoardSize): Held => {
  const offOf = (held: Held) =>
    outlineOf(held, board).flatMap(([u, v], n) => [u - (wanted[n] as Place)[0], v - (wanted[n] as Place)[1]])
  const costOf = (off: readonly number[]) => off.reduce((sum, each) => sum + each * each, 0)
  let held = guess
  let lambda = 1e-3
  for (let round = 0; round < ROUNDS; round++) {
    const off = offOf(held)
    const slopes = held.map((_, n) =>
      offOf(held.map((each, m) => (m === n ? each + STEP : each))).map((each, k) => (each - (off[k] as number)) / STEP),
    )
    const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, n) => sum + each * (b[n] ?? 0), 0)
    const matrix = slopes.map((row, n) =>
      slopes.map((other, m) => dot(row, other) * (n === m ? 1 + lambda : 1)),
    )
    const step = solved(
      matrix,
      slopes.map((row) => -dot(row, off)),
    )
    const next = held.map((each, n) => each + (step[n] as number))
    const isBetter = costOf(offOf(next)) < costOf(off)
    if (isBetter) held = next
    lambda = isBetter ? lambda / 10 : lambda * 10
  }
  return held
}

/** Gauss with pivots. */
const solved = (matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] => {
  const rows = matrix.map((row, n) => [...row, right[n] as number])
  const size = rows.length
  for (let n = 0; n < size; n++) {
    const best = rows.slice(n).reduce((a, b) => (Math.abs(b[n] as number) > Math.abs(a[n] as number) ? b : a))
    rows.splice(rows.indexOf(best), 1)
    rows.splice(n, 0, best)
    for (const row of rows)
      if (row !== best) {
        const factor = (row[n] as number) / (best[n] as number)
        for (let m = n; m <= size; m++) row[m] = (row[m] as number) - factor * (best[m] as number)
      }
  }
  return rows.map((row, n) => (row[size] as number) / (row[n] as number))
}

const opticalPose = ([x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0]: Held): Pose => {
  const angle = Math.hypot(rx, ry, rz)
  const scale = angle > 0 ? Math.sin(angle / 2) / angle : 0.5
  return { x, y, z, qw: Math.cos(angle / 2), qx: rx * scale, qy: ry * scale, qz: rz * scale }
}

/** In the axes of the camera body: x forward, y left, z up. */
const bodyPose = (held: Held): PoseDocument => {
  const { x, y, z, qw, qx, qy, qz } = opticalPose(held)
  return poseToDocument({ x: z, y: -x, z: -y, qw, qx: qz, qy: -qx, qz: -qy })
}
