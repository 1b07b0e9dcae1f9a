// A person who holds a board where an outline shows it, as well as people do, in front of a camera that is known.
import type { Place } from '../../../machines/calibration/capture/look.ts'
import type { FoundCorner } from '../../../machines/calibration/task.ts'
import { mulberry32 } from '../mulberry32.ts'

/** fx fy cx cy k1 k2 p1 p2 k3. */
type Lens = readonly [number, number, number, number, number, number, number, number, number]
type Vector = readonly [number, number, number]

/** A camera that is known. */
export interface SimulatedCamera {
  readonly width_px: number
  readonly height_px: number
  readonly lens: Lens
}

/** How well a board is held: standard deviations. */
export interface Hand {
  /** Of the board's width, to either side. */
  readonly aside: number
  /** Of the distance. */
  readonly farther: number
  /** Out of the plane and in it. */
  readonly turned_deg: number
  /** From one look to the next. */
  readonly tremor_px: number
}

/** What a person does who tries to match an outline on a screen a metre away. */
export const USUAL_HAND: Hand = { aside: 0.05, farther: 0.08, turned_deg: 7, tremor_px: 0.5 }

/** Of 11x7 squares of 24 mm, as it is printed on A4. */
export const HELD_BOARD = { columns: 11, rows: 7, square_mm: 24 } as const

const NOISE_PX = 0.2
const RAY_STEPS = 40
const DEG = Math.PI / 180

/** A board that is held, in the camera's optical frame (x right, y down, z forward). */
export interface HeldPose {
  /** Its own axes. */
  readonly turn: readonly [Vector, Vector, Vector]
  /** Its middle, millimetres. */
  readonly at: Vector
}

export class SimulatedHand {
  readonly #camera: SimulatedCamera
  readonly #hand: Hand
  readonly #random: () => number

  constructor(camera: SimulatedCamera, seed: number, hand: Hand = USUAL_HAND) {
    this.#camera = camera
    this.#hand = hand
    this.#random = mulberry32(seed)
  }

  /** The corners of squares in two looks, one after the other, of a board that is held to an outline. */
  hold(outline: readonly Place[]): readonly [before: readonly FoundCorner[], now: readonly FoundCorner[]] {
    const pose = this.place(outline)
    const [u, v] = [this.#noise(this.#hand.tremor_px), this.#noise(this.#hand.tremor_px)]
    const before = this.#seen(pose).map(([column, row, x, y]): FoundCorner => [column, row, x + u, y + v])
    return [before, this.#seen(pose)]
  }

  /** Where a board is that is held to an outline. */
  place(outline: readonly Place[]): HeldPose {
    return this.#held(poseOf(outline, this.#camera))
  }

  #noise(deviation: number): number {
    return deviation * Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random())
  }

  #held({ turn, at }: HeldPose): HeldPose {
    const { aside, farther, turned_deg } = this.#hand
    const width = HELD_BOARD.columns * HELD_BOARD.square_mm
    const stretch = 1 + this.#noise(farther)
    const angles = [0, 1, 2].map(() => this.#noise(turned_deg * DEG)) as unknown as Vector
    return {
      turn: turn.map((column) => turned(column, angles)) as unknown as HeldPose['turn'],
      at: [at[0] * stretch + this.#noise(aside * width), at[1] * stretch + this.#noise(aside * width), at[2] * stretch],
    }
  }

  #seen(pose: HeldPose): readonly FoundCorner[] {
    const { columns, rows } = HELD_BOARD
    const isInside = ([u, v]: Place) =>
      u >= 3 && v >= 3 && u <= this.#camera.width_px - 4 && v <= this.#camera.height_px - 4
    const place = (column: number, row: number) => projected(pose, column, row, this.#camera.lens)
    const corners: FoundCorner[] = []
    for (let row = 1; row < rows; row += 1)
      for (let column = 1; column < columns; column += 1) {
        // a corner needs both markers that touch it
        const around = [-1, 1].flatMap((across) => [-1, 1].map((down) => place(column + across, row + down)))
        const [u, v] = place(column, row)
        const seen: Place = [u + this.#noise(NOISE_PX), v + this.#noise(NOISE_PX)]
        if (isInside(seen) && around.every(isInside)) corners.push([column, row, ...seen])
      }
    return corners
  }
}

const projected = ({ turn, at }: HeldPose, column: number, row: number, lens: Lens): Place => {
  const { columns, rows, square_mm } = HELD_BOARD
  const [x, y] = [(column - columns / 2) * square_mm, (row - rows / 2) * square_mm]
  const point = [0, 1, 2].map(
    (axis) => (turn[0][axis] as number) * x + (turn[1][axis] as number) * y + (at[axis] as number),
  )
  const [px, py, pz] = point as unknown as Vector
  return distorted(px / pz, py / pz, lens)
}

const distorted = (x: number, y: number, [fx, fy, cx, cy, k1, k2, p1, p2, k3]: Lens): Place => {
  const r2 = x * x + y * y
  const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
  return [
    fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + cx,
    fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + cy,
  ]
}

/** The ray that is seen there, by steps that get smaller. */
const rayAt = ([u, v]: Place, lens: Lens): Place => {
  const [fx, fy] = lens
  let [x, y] = [0, 0]
  for (let step = 0; step < RAY_STEPS; step += 1) {
    const [seenU, seenV] = distorted(x, y, lens)
    x += (u - seenU) / fx
    y += (v - seenV) / fy
  }
  return [x, y]
}

/** Where the board is that is seen there. */
const poseOf = (outline: readonly Place[], { lens }: SimulatedCamera): HeldPose => {
  const { columns, rows, square_mm } = HELD_BOARD
  const [halfWidth, halfHeight] = [(columns * square_mm) / 2, (rows * square_mm) / 2]
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const
  const equations = outline.flatMap((place, at) => {
    const [across, down] = corners[at] as readonly [number, number]
    const [x, y, [px, py]] = [across * halfWidth, down * halfHeight, rayAt(place, lens)] as const
    return [
      [x, y, 1, 0, 0, 0, -px * x, -px * y, px],
      [0, 0, 0, x, y, 1, -py * x, -py * y, py],
    ]
  })
  const [a, b, c, d, e, f, g, h] = solved(equations) as unknown as readonly number[] as [
    ...[number, number, number, number, number, number, number, number],
  ]
  const scale = 2 / (Math.hypot(a, d, g) + Math.hypot(b, e, h))
  const right = unit([a, d, g])
  const along = a * b + d * e + g * h
  const share = along / (a * a + d * d + g * g)
  const down = unit([b - share * a, e - share * d, h - share * g])
  return { turn: [right, down, cross(right, down)], at: [c * scale, f * scale, scale] }
}

const unit = ([x, y, z]: Vector): Vector => {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x]

/** Turned about an axis, by its length in radians. */
const turned = (vector: Vector, angles: Vector): Vector => {
  const angle = Math.hypot(...angles)
  if (angle === 0) return vector
  const axis = unit(angles)
  const along = axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]
  const across = cross(axis, vector)
  return [0, 1, 2].map(
    (at) =>
      (vector[at] as number) * Math.cos(angle) +
      (across[at] as number) * Math.sin(angle) +
      (axis[at] as number) * along * (1 - Math.cos(angle)),
  ) as unknown as Vector
}

/** Gauss: each row has its right side at its end. */
const solved = (rows: readonly (readonly number[])[]): readonly number[] => {
  const all = rows.map((row) => [...row])
  for (let at = 0; at < all.length; at += 1) {
    const largest = all
      .slice(at)
      .reduce((best, row, n) => (Math.abs(row[at] as number) > Math.abs(all[at + best]?.[at] as number) ? n : best), 0)
    ;[all[at], all[at + largest]] = [all[at + largest] as number[], all[at] as number[]]
    const pivot = all[at] as number[]
    for (const row of all) {
      if (row === pivot) continue
      const share = (row[at] as number) / (pivot[at] as number)
      for (let column = at; column < row.length; column += 1)
        row[column] = (row[column] as number) - share * (pivot[column] as number)
    }
  }
  return all.map((row, at) => (row.at(-1) as number) / (row[at] as number))
}
