// How well a pose explains all corners of a round, and how it should move: a normal matrix of 6 x 6 numbers, and a
// gradient. Place (metres) and turn (radians) are about the axes of the field.
import { add, at, ofLength } from './arrays.ts'
import type { Priors } from './priors.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

/** What is nearer than that to a camera, or behind it, is not seen. */
export const MIN_DEPTH_M = 0.02

/** Of its eight numbers: a tag's squared misfit beyond that counts linearly. */
const HUBER_CHI2 = 20

export class NormalEquations {
  /** By rows; its lower triangle. */
  readonly normal = new Float64Array(36)
  readonly gradient = new Float64Array(6)
  /** Of all tags and priors; infinite: a corner would lie behind its camera. */
  cost = Number.POSITIVE_INFINITY
  /** Of each tag, its misfit; NaN: it is left out. */
  chi2 = new Float64Array(0)
  /** Of each tag, squared pixels. */
  squaredPx = new Float64Array(0)
  /** Of each tag, its part of the normal matrix (lower triangle) and of the gradient. */
  parts = new Float64Array(0)

  private readonly axes = new Float64Array(12)
  private readonly rows = new Float64Array(12)
  private readonly sums = new Float64Array(14)

  reserve(count: number): void {
    this.chi2 = ofLength(this.chi2, count)
    this.squaredPx = ofLength(this.squaredPx, count)
    this.parts = ofLength(this.parts, PART * count)
  }

  /** Only the cost of a pose. isRobust: a tag that is far off counts less. */
  costOf(state: Float64Array, sightings: Sightings, map: SolveMap, priors: Priors, isRobust: boolean): number {
    this.cost = priors.cost(state)
    this.addTags(state, sightings, map, isRobust, false)
    return this.cost
  }

  /** False: a corner would lie behind its camera. */
  linearise(state: Float64Array, sightings: Sightings, map: SolveMap, priors: Priors, isRobust: boolean): boolean {
    this.normal.fill(0)
    this.gradient.fill(0)
    this.cost = priors.weigh(state, this.normal, this.gradient)
    this.addTags(state, sightings, map, isRobust, true)
    return this.cost < Number.POSITIVE_INFINITY
  }

  /** Only a tag, used or not. False: it would lie behind its camera. */
  look(n: number, state: Float64Array, sightings: Sightings, map: SolveMap): boolean {
    axesOf(state, sightings.mounts, 12 * at(sightings.cameraOf, n), this.axes)
    return this.addTag(n, state, sightings, map, false, false)
  }

  private addTags(state: Float64Array, sightings: Sightings, map: SolveMap, isRobust: boolean, slopes: boolean): void {
    let camera = -1
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0) {
        this.chi2[n] = Number.NaN
        continue
      }
      if (at(sightings.cameraOf, n) !== camera) {
        camera = at(sightings.cameraOf, n)
        axesOf(state, sightings.mounts, 12 * camera, this.axes)
      }
      if (!this.addTag(n, state, sightings, map, isRobust, slopes)) {
        this.cost = Number.POSITIVE_INFINITY
        return
      }
    }
  }

  private addTag(
    n: number,
    state: Float64Array,
    sightings: Sightings,
    map: SolveMap,
    isRobust: boolean,
    slopes: boolean,
  ): boolean {
    const { axes, sums, parts } = this
    const camera = at(sightings.cameraOf, n)
    const fx = at(sightings.focal, 2 * camera)
    const fy = at(sightings.focal, 2 * camera + 1)
    const shape = at(sightings.shapeWeight, n)
    const first = PART * n
    if (slopes) {
      sums.fill(0)
      for (let k = 0; k < PART; k++) parts[first + k] = 0
    }
    let squares = 0
    let sumU = 0
    let sumV = 0
    for (let corner = 0; corner < 4; corner++) {
      const point = 12 * at(sightings.mapTag, n) + 3 * corner
      const dx = at(map.corners, point) - at(state, 0)
      const dy = at(map.corners, point + 1) - at(state, 1)
      const dz = at(map.corners, point + 2) - at(state, 2)
      const x = at(axes, 0) * dx + at(axes, 1) * dy + at(axes, 2) * dz - at(axes, 9)
      const y = at(axes, 3) * dx + at(axes, 4) * dy + at(axes, 5) * dz - at(axes, 10)
      const z = at(axes, 6) * dx + at(axes, 7) * dy + at(axes, 8) * dz - at(axes, 11)
      if (!(z > MIN_DEPTH_M)) return false
      const u = (fx * x) / z - at(sightings.pixels, 8 * n + 2 * corner)
      const v = (fy * y) / z - at(sightings.pixels, 8 * n + 2 * corner + 1)
      squares += u * u + v * v
      sumU += u
      sumV += v
      if (!slopes) continue
      this.addRow(first, fx / z, x / z, 0, dx, dy, dz, u, shape)
      this.addRow(first, fy / z, y / z, 1, dx, dy, dz, v, shape)
    }
    // what the four corners have in common has a weight of its own
    const together = (at(sightings.placeWeight, n) - 4 * shape) / 16
    const chi2 = shape * squares + together * (sumU * sumU + sumV * sumV)
    this.chi2[n] = chi2
    this.squaredPx[n] = squares
    const isFar = isRobust && chi2 > HUBER_CHI2
    this.cost += isFar ? 2 * Math.sqrt(HUBER_CHI2 * chi2) - HUBER_CHI2 : chi2
    if (slopes) this.addPart(first, together, sumU, sumV, isFar ? Math.sqrt(HUBER_CHI2 / chi2) : 1)
    return true
  }

  /** One coordinate of one corner: its slopes are -G, and G x d. */
  private addRow(
    first: number,
    scale: number,
    share: number,
    axis: number,
    dx: number,
    dy: number,
    dz: number,
    off: number,
    weight: number,
  ): void {
    const { axes, rows, sums, parts } = this
    const gx = scale * (at(axes, 3 * axis) - share * at(axes, 6))
    const gy = scale * (at(axes, 3 * axis + 1) - share * at(axes, 7))
    const gz = scale * (at(axes, 3 * axis + 2) - share * at(axes, 8))
    rows[0] = -gx
    rows[1] = -gy
    rows[2] = -gz
    rows[3] = gy * dz - gz * dy
    rows[4] = gz * dx - gx * dz
    rows[5] = gx * dy - gy * dx
    let entry = first
    for (let row = 0; row < 6; row++) {
      const value = at(rows, row)
      add(sums, 6 * axis + row, value)
      const weighted = value * weight
      for (let column = 0; column <= row; column++) add(parts, entry++, weighted * at(rows, column))
    }
    for (let row = 0; row < 6; row++) add(parts, entry++, weight * at(rows, row) * off)
  }

  private addPart(first: number, together: number, sumU: number, sumV: number, robust: number): void {
    const { sums, parts, normal, gradient } = this
    let entry = first
    for (let row = 0; row < 6; row++) {
      const u = together * at(sums, row)
      const v = together * at(sums, 6 + row)
      for (let column = 0; column <= row; column++) {
        const value = robust * (at(parts, entry) + u * at(sums, column) + v * at(sums, 6 + column))
        parts[entry++] = value
        add(normal, 6 * row + column, value)
      }
    }
    for (let row = 0; row < 6; row++) {
      const value = robust * (at(parts, entry) + together * (at(sums, row) * sumU + at(sums, 6 + row) * sumV))
      parts[entry++] = value
      add(gradient, row, value)
    }
  }
}

/** A lower triangle of 6 x 6, and a gradient. */
export const PART = 27

/** The camera's axes on the field, by rows, and what its place in the robot takes off: A = Rc' R', Rc' t. */
export const axesOf = (state: Float64Array, mounts: Float64Array, mount: number, axes: Float64Array): void => {
  for (let row = 0; row < 3; row++) {
    const a = at(mounts, mount + 3 + row)
    const b = at(mounts, mount + 6 + row)
    const c = at(mounts, mount + 9 + row)
    for (let column = 0; column < 3; column++) {
      const base = 3 + 3 * column
      axes[3 * row + column] = a * at(state, base) + b * at(state, base + 1) + c * at(state, base + 2)
    }
    axes[9 + row] = a * at(mounts, mount) + b * at(mounts, mount + 1) + c * at(mounts, mount + 2)
  }
}
