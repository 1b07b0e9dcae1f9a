// Lenses that are described by the angle from their axis, as fisheye lenses are, with the eight coefficients that are
// known here. These reproduce a lens of 122 degrees to a thousandth of a pixel.
import type { LensDraft, PictureSize } from './lens-draft.ts'

/** A model of an angle: how far from the middle a ray is seen, for a focal length of one. */
export type RadiusOf = (angleRad: number) => number

/** theta + k1 theta^3 + ..., as OpenCV's fisheye model and Kalibr's `equidistant` have it. */
export const fisheyeRadius =
  ([k1 = 0, k2 = 0, k3 = 0, k4 = 0]: readonly number[]): RadiusOf =>
  (angle) => {
    const square = angle * angle
    return angle * (1 + square * (k1 + square * (k2 + square * (k3 + square * k4))))
  }

/** Kalibr's `fov`. */
export const fovRadius =
  ([w = 0]: readonly number[]): RadiusOf =>
  (angle) =>
    Math.abs(w) < 1e-6 ? Math.tan(angle) : Math.atan(2 * Math.tan(angle) * Math.tan(w / 2)) / w

/** What became of such a lens. */
export interface RadialFit {
  /** k1 k2 p1 p2 k3 k4 k5 k6. */
  readonly distortion: readonly number[]
  /** Of the places in the picture, between the two models. */
  readonly rms_px: number
  readonly worst_px: number
  /** Of the picture, that lies within MAX_ANGLE_DEG of the axis. */
  readonly share: number
}

/** From the axis. Beyond it a plane in front of the camera has no room for the picture. */
export const MAX_ANGLE_DEG = 75

const MAX_ANGLE = (MAX_ANGLE_DEG * Math.PI) / 180
const COLUMNS = 24
const ROWS = 16
const ROUNDS = 8

/** A place of the grid: the square of the ideal radius, and the share of it that is seen. */
interface Sample {
  readonly square: number
  readonly ratio: number
  readonly radius: number
}

/** undefined: no eight coefficients are like it. */
export const fitRadial = (
  radiusOf: RadiusOf,
  [fx, fy, cx, cy]: LensDraft['pinhole'],
  { width_px, height_px }: PictureSize,
): RadialFit | undefined => {
  const samples: Sample[] = []
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const x = ((column / (COLUMNS - 1)) * (width_px - 1) - cx) / fx
      const y = ((row / (ROWS - 1)) * (height_px - 1) - cy) / fy
      const seen = Math.hypot(x, y)
      const angle = angleSeenAt(radiusOf, seen)
      if (angle === undefined) continue
      const radius = Math.tan(angle)
      samples.push({ square: radius * radius, ratio: radius > 1e-9 ? seen / radius : 1, radius })
    }
  const largest = samples.reduce((most, { square }) => Math.max(most, square), 0)
  if (samples.length < COLUMNS || !(largest > 0)) return undefined
  const scaled = fitRatio(samples, largest)
  if (!scaled) return undefined
  const [k1, k2, k3, k4, k5, k6] = scaled.map((each, n) => each / largest ** ((n % 3) + 1)) as Six
  const offs = samples.map(({ square, ratio, radius }) => {
    const above = 1 + square * (k1 + square * (k2 + square * k3))
    const below = 1 + square * (k4 + square * (k5 + square * k6))
    return fx * radius * Math.abs(above / below - ratio)
  })
  const sum = offs.reduce((total, off) => total + off * off, 0)
  return {
    distortion: [k1, k2, 0, 0, k3, k4, k5, k6],
    rms_px: Math.sqrt(sum / offs.length),
    worst_px: Math.max(...offs),
    share: samples.length / (ROWS * COLUMNS),
  }
}

type Six = [number, number, number, number, number, number]

const HALVINGS = 50

/** undefined: it is further from the axis than is looked. */
const angleSeenAt = (radiusOf: RadiusOf, seen: number): number | undefined => {
  let [low, high] = [0, MAX_ANGLE]
  if (!(radiusOf(high) >= seen)) return undefined
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2
    if (radiusOf(middle) < seen) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * k1 k2 k3 k4 k5 k6 for squares in units of the largest: linear least squares, again and again with what stood below
 * the line as weight, which comes to the least squares of the ratio itself.
 */
const fitRatio = (samples: readonly Sample[], largest: number): Six | undefined => {
  let found: Six | undefined
  let below = samples.map(() => 1)
  for (let round = 0; round < ROUNDS; round++) {
    const rows = samples.map(({ square, ratio, radius }, n) => {
      const weight = radius / (below[n] as number)
      const t = square / largest
      const part = [t, t * t, t * t * t, -ratio * t, -ratio * t * t, -ratio * t * t * t, ratio - 1]
      return part.map((each) => each * weight)
    })
    const next = leastSquares(rows)
    if (!next) return found
    found = next as Six
    const [, , , k4, k5, k6] = found
    below = samples.map(({ square }) => {
      const t = square / largest
      return 1 + t * (k4 + t * (k5 + t * k6))
    })
    if (below.some((each) => !(each > 1e-3))) return undefined
  }
  return found
}

/**
 * By turning rows into a triangle (Givens), which keeps twice the digits of normal equations. The last column is what
 * the others shall come to.
 */
const leastSquares = (rows: readonly (readonly number[])[]): readonly number[] | undefined => {
  const width = (rows[0]?.length ?? 1) - 1
  const triangle = Array.from({ length: width }, () => new Float64Array(width + 1))
  for (const each of rows) {
    const row = Float64Array.from(each)
    for (let k = 0; k < width; k++) {
      const top = triangle[k] as Float64Array
      const [a, b] = [top[k] as number, row[k] as number]
      const length = Math.hypot(a, b)
      if (length === 0) continue
      const [cos, sin] = [a / length, b / length]
      for (let n = k; n <= width; n++) {
        const [one, other] = [top[n] as number, row[n] as number]
        top[n] = cos * one + sin * other
        row[n] = cos * other - sin * one
      }
    }
  }
  const to = new Array<number>(width).fill(0)
  for (let k = width - 1; k >= 0; k--) {
    const top = triangle[k] as Float64Array
    let sum = top[width] as number
    for (let n = k + 1; n < width; n++) sum -= (top[n] as number) * (to[n] as number)
    // what the others say already is left at zero
    to[k] = Math.abs(top[k] as number) > 1e-10 ? sum / (top[k] as number) : 0
  }
  return to.every(Number.isFinite) ? to : undefined
}
