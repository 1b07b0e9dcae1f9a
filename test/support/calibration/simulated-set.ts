// Corners of a board as a camera that is known would see it, with noise that a seed decides.
import type { FoundBoard, FoundCorner } from '../../../machines/calibration/task.ts'
import { mulberry32 } from '../mulberry32.ts'

/** What a set of pictures is like. Angles in degrees; sizes: of the board, in heights of the picture. */
export interface SimulatedSet {
  readonly pictures?: number
  readonly tilt?: readonly [number, number]
  readonly size?: readonly [number, number]
  /** Of the print, across and along. */
  readonly stretch?: readonly [number, number]
  /** Millimetres, in the middle against the sides. */
  readonly bow_mm?: number
  /** Nearly the same view each time. */
  readonly isRepeated?: boolean
  /** One picture of which the corners are those of the next column. */
  readonly hasWrongPicture?: boolean
  readonly noise_px?: number
  /** Every other picture with the board turned by a right angle. */
  readonly isTurned?: boolean
}

const WIDTH = 1280
const HEIGHT = 800
/** fx fy cx cy k1 k2 p1 p2 k3 of all sets. */
export const TRUE_LENS = [905, 904, 645, 395, 0.08, -0.12, 0.001, -0.0005, 0.03] as const
/** Of a square, millimetres. */
export const SQUARE_MM = 25.4
const SQUARES = 8

/** A ray (x, y, 1) of the camera in its picture, pixels from the centre of the first one. */
export const project = ([x, y]: readonly [number, number]): [number, number] => {
  const [fx, fy, cx, cy, k1, k2, p1, p2, k3] = TRUE_LENS
  const r2 = x * x + y * y
  const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
  return [
    fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + cx,
    fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + cy,
  ]
}

/** A board of 8x8 squares of an inch. */
export const simulatedBoard = (set: SimulatedSet, seed: number): FoundBoard => {
  const { pictures = 15, tilt = [20, 45], size = [0.35, 0.9], stretch = [1, 1], bow_mm = 0, noise_px = 0.2 } = set
  const random = mulberry32(seed)
  const between = ([low, high]: readonly [number, number]) => low + (high - low) * random()
  const noise = () => noise_px * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const side = SQUARES * SQUARE_MM
  const found: FoundCorner[][] = []
  while (found.length < pictures) {
    const deg = Math.PI / 180
    const direction = set.isRepeated ? 40 * deg : between([0, 2 * Math.PI])
    const angle = (set.isRepeated ? between([28, 32]) : between(tilt)) * deg
    const upright = set.isTurned && found.length % 2 === 1 ? 90 : 0
    const turn = (upright + between(set.isRepeated ? [-5, 5] : [-20, 20])) * deg
    const depth = (TRUE_LENS[1] * side) / ((set.isRepeated ? 0.5 : between(size)) * HEIGHT)
    const [u, v] = set.isRepeated
      ? [640 + between([-10, 10]), 400 + between([-10, 10])]
      : [between([0.15, 0.85]) * WIDTH, between([0.15, 0.85]) * HEIGHT]
    const [tx, ty] = [((u - TRUE_LENS[2]) / TRUE_LENS[0]) * depth, ((v - TRUE_LENS[3]) / TRUE_LENS[1]) * depth]
    const axis = [-Math.sin(direction), Math.cos(direction)] as const
    const inCamera = (x: number, y: number, z: number): [number, number, number] => {
      const [px, py] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)]
      // Rodrigues about an axis in the plane of the picture
      const along = axis[0] * px + axis[1] * py
      const cross = [axis[1] * z, -axis[0] * z, axis[0] * py - axis[1] * px] as const
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      return [
        px * c + cross[0] * s + axis[0] * along * (1 - c) + tx,
        py * c + cross[1] * s + axis[1] * along * (1 - c) + ty,
        z * c + cross[2] * s + depth,
      ]
    }
    const corners: FoundCorner[] = []
    for (let row = 1; row < SQUARES; row += 1)
      for (let column = 1; column < SQUARES; column += 1) {
        const [x, y] = [column * SQUARE_MM - side / 2, row * SQUARE_MM - side / 2]
        const bow = bow_mm * (1 - (x / (side / 2)) ** 2)
        const [cx, cy, cz] = inCamera(x * stretch[0], y * stretch[1], bow)
        const [seenU, seenV] = project([cx / cz, cy / cz])
        const place = [seenU + noise(), seenV + noise()] as const
        if (place[0] < 3 || place[1] < 3 || place[0] > WIDTH - 4 || place[1] > HEIGHT - 4) continue
        corners.push([column, row, ...place])
      }
    if (corners.length >= 12) found.push(corners)
  }
  if (set.hasWrongPicture)
    found[4] = (found[4] as FoundCorner[]).map(([column, row, u, v], at) => [column + (at % 2), row, u, v])
  return {
    family: 'aruco_4x4',
    columns: SQUARES,
    rows: SQUARES,
    starts_white: false,
    marker_share: 0.75,
    fitting_share: 1,
    pictures: found.map((corners) => ({ width_px: WIDTH, height_px: HEIGHT, markers: 32, corners })),
  }
}
