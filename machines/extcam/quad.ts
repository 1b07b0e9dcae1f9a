// The shape of a tag's outline: four x, y pairs from `at` on, in order around it.

const x = (points: Float64Array, at: number, corner: number): number => points[at + 2 * (corner & 3)] as number
const y = (points: Float64Array, at: number, corner: number): number => points[at + 2 * (corner & 3) + 1] as number

/** Area in the square of the points' unit. */
export const quadArea = (points: Float64Array, at: number): number => {
  let twice = 0
  for (let n = 0; n < 4; n++) twice += x(points, at, n) * y(points, at, n + 1) - x(points, at, n + 1) * y(points, at, n)
  return Math.abs(twice) / 2
}

/**
 * Writes five numbers to `out`: long and short side of the smallest rectangle around the outline, its horizontal and
 * vertical extent, and the rectangle's turn in degrees, -45 to 45, clockwise positive in a picture.
 */
export const writeQuadShape = (points: Float64Array, at: number, out: Float64Array, offset: number): void => {
  let smallest = Number.POSITIVE_INFINITY
  for (let side = 0; side < 4; side++) {
    const ux = x(points, at, side + 1) - x(points, at, side)
    const uy = y(points, at, side + 1) - y(points, at, side)
    const length = Math.hypot(ux, uy) || 1
    const along = extent(points, at, ux / length, uy / length)
    const across = extent(points, at, -uy / length, ux / length)
    if (along * across >= smallest) continue
    smallest = along * across
    out[offset] = Math.max(along, across)
    out[offset + 1] = Math.min(along, across)
    const turnDeg = (Math.atan2(uy, ux) * 180) / Math.PI
    out[offset + 4] = turnDeg - 90 * Math.round(turnDeg / 90)
  }
  out[offset + 2] = extent(points, at, 1, 0)
  out[offset + 3] = extent(points, at, 0, 1)
}

/** How far the outline reaches along a unit vector. */
const extent = (points: Float64Array, at: number, ux: number, uy: number): number => {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let n = 0; n < 4; n++) {
    const along = x(points, at, n) * ux + y(points, at, n) * uy
    if (along < low) low = along
    if (along > high) high = along
  }
  return high - low
}
