// The last steps of a solve, with all that may be wrong as unknowns of its own: each tag of the map may hang elsewhere
// and be turned, each camera may sit elsewhere, be turned, and have another focal length, each by its own deviation.
// They are eliminated tag by tag and camera by camera, so what is left are the six numbers of the pose, with a
// covariance in which one fault counts once, however many corners it moves.
import { add, at, factorise, invertFactor, ofLength, solveLower, solveUpper } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import type { Priors } from './priors.ts'
import { AT_CAMERA, AT_TAG, CAMERA, OFF, POSE, ROWS, SightingRows, TAG, WIDTH } from './sighting-rows.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

export class FullModel {
  /** How the pose is to move: metres and radians about the axes of the field. */
  readonly step = new Float64Array(POSE)
  /** Of the pose, all terms, by rows. */
  readonly covariance = new Float64Array(36)
  /** Squared deviations by their variances after that step: of all corners, tags and cameras. */
  misfit = 0
  /** Of each tag, by the first of its sightings: what of the misfit is its own. NaN: it is not used. */
  tagMisfits = new Float64Array(0)

  private rows = new Float64Array(0)
  private readonly described = new SightingRows()

  /** Cameras, then the pose. */
  private size = 0
  private matrix = new Float64Array(0)
  private solution = new Float64Array(0)
  private readonly priorNormal = new Float64Array(36)
  private readonly priorGradient = new Float64Array(6)

  /** Of each sighting, the next one of the same tag and the first of them; -1: none. */
  private next = new Float64Array(0)
  private first = new Float64Array(0)
  /** Of each tag (by its first sighting): its factor, and how it follows pose and cameras (6 rows of size + 1). */
  private factors = new Float64Array(0)
  private follows = new Float64Array(0)
  private moved = new Float64Array(0)

  private readonly block = new Float64Array(36)
  private readonly scatter = new Float64Array(36)
  private response = new Float64Array(0)
  private readonly tagResponse = new Float64Array(36)
  private readonly seenRow = new Float64Array(6)

  /** noiseScale: of the corners' variances. False: the corners do not fix the pose, or lie behind a camera. */
  solve(
    state: Float64Array,
    sightings: Sightings,
    map: SolveMap,
    priors: Priors,
    errors: LocalizationConfig['errors'],
    noiseScale: number,
  ): boolean {
    this.reserve(sightings)
    const noise = Math.sqrt(noiseScale)
    for (let n = 0; n < sightings.count; n++)
      if (
        at(sightings.isUsed, n) === 1 &&
        !this.described.describe(n, { state, sightings, map, errors, noise }, this.rows)
      )
        return false
    this.assemble(state, sightings, priors)
    for (let n = 0; n < sightings.count; n++) if (at(this.first, n) === n && !this.eliminate(n, sightings)) return false
    if (!factorise(this.matrix, this.size)) return false
    return this.finish(sightings)
  }

  /** The part of the covariance that comes from the corners' noise alone, by rows. */
  pixelCovariance(sightings: Sightings, out: Float64Array): void {
    const { size, matrix, response, scatter, covariance, block } = this
    const pose = size - POSE
    scatter.fill(0)
    // how the cameras' and tags' own unknowns follow each number of the pose
    for (let k = 0; k < POSE; k++) {
      const base = k * size
      for (let n = 0; n < pose; n++) response[base + n] = -at(matrix, (pose + k) * size + n)
      solveUpper(matrix, pose, size, response, base)
      for (let n = 0; n < POSE; n++) response[base + pose + n] = n === k ? 1 : 0
    }
    for (let n = 0; n < sightings.count; n++) if (at(this.first, n) === n) this.scatterTag(n, sightings)
    // C scatter C
    for (let row = 0; row < POSE; row++)
      for (let column = 0; column < POSE; column++) {
        let sum = 0
        for (let k = 0; k < POSE; k++) sum += at(covariance, 6 * row + k) * at(scatter, 6 * k + column)
        block[6 * row + column] = sum
      }
    for (let row = 0; row < POSE; row++)
      for (let column = 0; column < POSE; column++) {
        let sum = 0
        for (let k = 0; k < POSE; k++) sum += at(block, 6 * row + k) * at(covariance, 6 * k + column)
        out[6 * row + column] = sum
      }
  }

  private scatterTag(first: number, sightings: Sightings): void {
    const { size, response, scatter, rows, tagResponse, seenRow } = this
    for (let k = 0; k < POSE; k++) this.followTag(first, response, k * size, 0, tagResponse, 6 * k)
    for (let n = first; n >= 0; n = at(this.next, n)) {
      const camera = CAMERA * at(sightings.cameraOf, n)
      for (let row = 0; row < 8; row++) {
        const base = ROWS * n + WIDTH * row
        for (let k = 0; k < POSE; k++) {
          let sum = at(rows, base + k)
          for (let m = 0; m < CAMERA; m++) sum += at(rows, base + AT_CAMERA + m) * at(response, k * size + camera + m)
          for (let m = 0; m < TAG; m++) sum += at(rows, base + AT_TAG + m) * at(tagResponse, 6 * k + m)
          seenRow[k] = sum
        }
        for (let k = 0; k < POSE; k++)
          for (let m = 0; m < POSE; m++) add(scatter, 6 * k + m, at(seenRow, k) * at(seenRow, m))
      }
    }
  }

  private reserve(sightings: Sightings): void {
    const { count, cameras } = sightings
    this.size = CAMERA * cameras + POSE
    this.rows = ofLength(this.rows, ROWS * count)
    this.matrix = ofLength(this.matrix, this.size * this.size)
    this.solution = ofLength(this.solution, this.size)
    this.response = ofLength(this.response, POSE * this.size)
    this.next = ofLength(this.next, count)
    this.first = ofLength(this.first, count)
    this.factors = ofLength(this.factors, 36 * count)
    this.follows = ofLength(this.follows, TAG * (this.size + 1) * count)
    this.moved = ofLength(this.moved, TAG * count)
    this.tagMisfits = ofLength(this.tagMisfits, count)
    this.group(sightings)
  }

  /** Sightings of one tag follow each other. */
  private group({ count, mapTag, isUsed }: Sightings): void {
    for (let n = 0; n < count; n++) {
      this.next[n] = -1
      this.first[n] = -1
      if (at(isUsed, n) === 0) continue
      this.first[n] = n
      for (let m = n - 1; m >= 0; m--)
        if (at(isUsed, m) === 1 && at(mapTag, m) === at(mapTag, n)) {
          this.next[m] = n
          this.first[n] = at(this.first, m)
          break
        }
    }
  }

  /** The normal matrix of cameras and pose, before the tags' own unknowns are eliminated. */
  private assemble(state: Float64Array, sightings: Sightings, priors: Priors): void {
    const { size, matrix, solution, rows, priorNormal, priorGradient } = this
    const pose = size - POSE
    for (let k = 0; k < size * size; k++) matrix[k] = 0
    for (let k = 0; k < size; k++) solution[k] = 0
    for (let k = 0; k < pose; k++) matrix[k * size + k] = 1
    priorNormal.fill(0)
    priorGradient.fill(0)
    priors.weigh(state, priorNormal, priorGradient)
    for (let row = 0; row < POSE; row++) {
      for (let column = 0; column <= row; column++)
        matrix[(pose + row) * size + pose + column] = at(priorNormal, 6 * row + column)
      solution[pose + row] = at(priorGradient, row)
    }
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0) continue
      const camera = CAMERA * at(sightings.cameraOf, n)
      for (let a = 0; a < AT_TAG; a++) {
        const row = a < POSE ? pose + a : camera + a - POSE
        let sum = 0
        for (let k = 0; k < 8; k++) sum += at(rows, ROWS * n + WIDTH * k + a) * at(rows, ROWS * n + WIDTH * k + OFF)
        add(solution, row, sum)
        for (let b = 0; b <= a; b++) {
          const column = b < POSE ? pose + b : camera + b - POSE
          let entry = 0
          for (let k = 0; k < 8; k++) entry += at(rows, ROWS * n + WIDTH * k + a) * at(rows, ROWS * n + WIDTH * k + b)
          add(matrix, row > column ? row * size + column : column * size + row, entry)
        }
      }
    }
  }

  /** Takes a tag's own unknowns out of the matrix. first: of its sightings. */
  private eliminate(first: number, sightings: Sightings): boolean {
    const { size, solution, factors, follows, rows, block } = this
    const pose = size - POSE
    const width = size + 1
    const base = TAG * width * first
    block.fill(0)
    for (let k = 0; k < TAG; k++) block[7 * k] = 1
    for (let k = 0; k < TAG * width; k++) follows[base + k] = 0
    for (let n = first; n >= 0; n = at(this.next, n)) {
      const camera = CAMERA * at(sightings.cameraOf, n)
      for (let a = 0; a < TAG; a++)
        for (let b = 0; b < WIDTH; b++) {
          if (b >= AT_TAG && b < OFF && b - AT_TAG > a) continue
          let sum = 0
          for (let k = 0; k < 8; k++)
            sum += at(rows, ROWS * n + WIDTH * k + AT_TAG + a) * at(rows, ROWS * n + WIDTH * k + b)
          if (b < POSE) add(follows, base + width * a + pose + b, sum)
          else if (b < AT_TAG) add(follows, base + width * a + camera + b - POSE, sum)
          else if (b < OFF) add(block, 6 * a + b - AT_TAG, sum)
          else add(follows, base + width * a + size, sum)
        }
    }
    if (!factorise(block, TAG)) return false
    for (let k = 0; k < 36; k++) factors[36 * first + k] = at(block, k)
    for (let n = first; n >= 0; n = at(this.next, n))
      this.lowerColumns(base, CAMERA * at(sightings.cameraOf, n), CAMERA)
    this.lowerColumns(base, pose, POSE + 1)
    for (let n = first; n >= 0; n = at(this.next, n)) {
      const camera = CAMERA * at(sightings.cameraOf, n)
      for (let m = first; m >= 0; m = at(this.next, m)) {
        const other = CAMERA * at(sightings.cameraOf, m)
        if (other <= camera) this.subtract(base, camera, CAMERA, other, CAMERA)
      }
      this.subtract(base, pose, POSE, camera, CAMERA)
      for (let row = camera; row < camera + CAMERA; row++) add(solution, row, -this.product(base, row, size))
    }
    this.subtract(base, pose, POSE, pose, POSE)
    for (let row = pose; row < size; row++) add(solution, row, -this.product(base, row, size))
    return true
  }

  /** Solves by the factor of a tag in `block`, for some columns of what follows. */
  private lowerColumns(base: number, first: number, count: number): void {
    for (let column = first; column < first + count; column++)
      solveLower(this.block, TAG, TAG, this.follows, base + column, this.size + 1)
  }

  private product(base: number, a: number, b: number): number {
    const width = this.size + 1
    let sum = 0
    for (let k = 0; k < TAG; k++) sum += at(this.follows, base + width * k + a) * at(this.follows, base + width * k + b)
    return sum
  }

  private subtract(base: number, rowFirst: number, rowCount: number, first: number, count: number): void {
    for (let row = rowFirst; row < rowFirst + rowCount; row++)
      for (let column = first; column < first + count && column <= row; column++)
        add(this.matrix, row * this.size + column, -this.product(base, row, column))
  }

  /** Solves, and says what is left of the misfit. */
  private finish(sightings: Sightings): boolean {
    const { size, matrix, solution, block } = this
    const pose = size - POSE
    solveLower(matrix, size, size, solution)
    solveUpper(matrix, size, size, solution)
    for (let k = 0; k < size; k++) solution[k] = -at(solution, k)
    for (let k = 0; k < POSE; k++) this.step[k] = at(solution, pose + k)
    for (let row = 0; row < POSE; row++)
      for (let column = 0; column <= row; column++)
        block[6 * row + column] = at(matrix, (pose + row) * size + pose + column)
    invertFactor(block, POSE, this.covariance)
    this.misfit = 0
    for (let k = 0; k < pose; k++) this.misfit += at(solution, k) ** 2
    for (let n = 0; n < sightings.count; n++) {
      this.tagMisfits[n] = at(this.first, n) === n ? this.tagMisfit(n, sightings) : Number.NaN
      if (at(this.first, n) === n) this.misfit += at(this.tagMisfits, n)
    }
    return Number.isFinite(this.misfit) && this.step.every(Number.isFinite) && this.covariance.every(Number.isFinite)
  }

  private tagMisfit(first: number, sightings: Sightings): number {
    const { rows, solution, moved } = this
    const pose = this.size - POSE
    this.followTag(first, solution, 0, 1, moved, TAG * first)
    let sum = 0
    for (let k = 0; k < TAG; k++) sum += at(moved, TAG * first + k) ** 2
    for (let n = first; n >= 0; n = at(this.next, n)) {
      const camera = CAMERA * at(sightings.cameraOf, n)
      for (let row = 0; row < 8; row++) {
        const base = ROWS * n + WIDTH * row
        let off = at(rows, base + OFF)
        for (let k = 0; k < POSE; k++) off += at(rows, base + k) * at(solution, pose + k)
        for (let k = 0; k < CAMERA; k++) off += at(rows, base + AT_CAMERA + k) * at(solution, camera + k)
        for (let k = 0; k < TAG; k++) off += at(rows, base + AT_TAG + k) * at(moved, TAG * first + k)
        sum += off * off
      }
    }
    return sum
  }

  /** A tag's own unknowns for those of cameras and pose. own: 1 with how far its corners are off, 0 without. */
  private followTag(
    first: number,
    others: Float64Array,
    othersFirst: number,
    own: number,
    out: Float64Array,
    outFirst: number,
  ): void {
    const width = this.size + 1
    for (let row = 0; row < TAG; row++) {
      const base = TAG * width * first + width * row
      let sum = own * at(this.follows, base + this.size)
      for (let k = 0; k < this.size; k++) sum += at(this.follows, base + k) * at(others, othersFirst + k)
      out[outFirst + row] = -sum
    }
    for (let k = 0; k < 36; k++) this.block[k] = at(this.factors, 36 * first + k)
    solveUpper(this.block, TAG, TAG, out, outFirst)
  }
}
