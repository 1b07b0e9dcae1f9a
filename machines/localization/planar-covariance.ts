// Covariances of a place on the floor: x, y in metres and yaw in radians, in axes of the field. 3 x 3, row by row.
import type { Planar } from './planar.ts'

/** Nine numbers. */
export type PlanarCovariance = Float64Array

const SIX = 6
const OF_SIX = [0, 1, 5] // x, y and yaw among x, y, z, roll, pitch, yaw

const at = (matrix: Float64Array, n: number): number => matrix[n] as number

/** The part of a 6 x 6 covariance that is about x, y and yaw. */
export const planarPart = (six: Float64Array): PlanarCovariance =>
  Float64Array.from({ length: 9 }, (_, n) => at(six, SIX * (OF_SIX[Math.floor(n / 3)] ?? 0) + (OF_SIX[n % 3] ?? 0)))

/** one + share times other. */
export const addCovariance = (one: PlanarCovariance, other: PlanarCovariance, share = 1): PlanarCovariance =>
  one.map((value, n) => value + share * at(other, n))

/** What is known of the place after a step that was driven from it. driven: in axes of the field. */
export const carryCovariance = (covariance: PlanarCovariance, driven: { x: number; y: number }): PlanarCovariance =>
  product(product(turnOf(driven), covariance), transposed(turnOf(driven)))

/** A yaw that is off moves where a step ends. */
const turnOf = ({ x, y }: { x: number; y: number }): Float64Array => Float64Array.of(1, 0, -y, 0, 1, x, 0, 0, 1)

export const product = (a: Float64Array, b: Float64Array): Float64Array =>
  Float64Array.from({ length: 9 }, (_, n) => {
    const row = n - (n % 3)
    const column = n % 3
    return at(a, row) * at(b, column) + at(a, row + 1) * at(b, column + 3) + at(a, row + 2) * at(b, column + 6)
  })

export const transposed = (a: Float64Array): Float64Array =>
  Float64Array.from({ length: 9 }, (_, n) => at(a, 3 * (n % 3) + Math.floor(n / 3)))

/** a times a difference of places. */
export const timesDifference = (a: Float64Array, { x, y, yaw }: Planar): Planar => ({
  x: at(a, 0) * x + at(a, 1) * y + at(a, 2) * yaw,
  y: at(a, 3) * x + at(a, 4) * y + at(a, 5) * yaw,
  yaw: at(a, 6) * x + at(a, 7) * y + at(a, 8) * yaw,
})

/** undefined: it is singular, or no covariance. */
export const inverse = (a: Float64Array): Float64Array | undefined => {
  const minor = (p: number, q: number, r: number, s: number) => at(a, p) * at(a, s) - at(a, q) * at(a, r)
  const adjugate = Float64Array.of(
    ...[minor(4, 5, 7, 8), -minor(1, 2, 7, 8), minor(1, 2, 4, 5)],
    ...[-minor(3, 5, 6, 8), minor(0, 2, 6, 8), -minor(0, 2, 3, 5)],
    ...[minor(3, 4, 6, 7), -minor(0, 1, 6, 7), minor(0, 1, 3, 4)],
  )
  const determinant = at(a, 0) * at(adjugate, 0) + at(a, 1) * at(adjugate, 3) + at(a, 2) * at(adjugate, 6)
  return determinant > 0 ? adjugate.map((value) => value / determinant) : undefined
}

/** The square of a difference in deviations; infinite: of what is no covariance. */
export const chi2Of = (difference: Planar, covariance: PlanarCovariance): number => {
  const information = inverse(covariance)
  if (!information) return Number.POSITIVE_INFINITY
  const weighed = timesDifference(information, difference)
  return difference.x * weighed.x + difference.y * weighed.y + difference.yaw * weighed.yaw
}

/** A difference as if it were one deviation. */
export const covarianceOf = ({ x, y, yaw }: Planar): PlanarCovariance =>
  Float64Array.of(x * x, x * y, x * yaw, y * x, y * y, y * yaw, yaw * x, yaw * y, yaw * yaw)

/** Each by itself. */
export const deviationsOf = (covariance: PlanarCovariance): readonly [x: number, y: number, yaw: number] => [
  Math.sqrt(at(covariance, 0)),
  Math.sqrt(at(covariance, 4)),
  Math.sqrt(at(covariance, 8)),
]
