// Whether the lens of a camera is as it was calibrated, by what the camera sees of the field while the robot drives
// about. The field is the board: from each frame with several tags the pose of the camera is taken out, and what is
// left says how the lens is off. Tags hang elsewhere than the map says, and stay there: where each of them hangs is
// unknown too, and the same in all frames.
import { add, at, factorise, solveLower, solveUpper } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import { MIN_DEPTH_M } from './normal-equations.ts'
import { OBSERVATION_HEAD, OBSERVATION_TAG, type Observation, tagAt } from './observation.ts'
import type { Pose } from './pose.ts'
import { moveState, stateOfPose } from './pose-state.ts'
import { type SolveMap, tagKey } from './solve-map.ts'

/** What is found of a lens: focal length, fx against fy, and distortion, as shares. */
export interface LensDeviation {
  /** By which the focal length is larger than is believed. */
  readonly focal: number
  readonly focalStd: number
  /** By which fx is larger than fy beyond what is believed; half of it each way. */
  readonly aspect: number
  readonly aspectStd: number
  /** By which places at RADIUS from the axis lie further out than is believed. */
  readonly radial: number
  readonly radialStd: number
}

/** How much it rests on. */
export interface LensEvidence {
  /** Frames that were used, each from another place. */
  readonly frames: number
  /** Different tags in them. */
  readonly tags: number
  /** Root mean square of what the lens as it is believed leaves over, pixels. */
  readonly residualPx: number
  /** The same of the lens as it was found. */
  readonly correctedPx: number
  /** How far from the axis corners were seen, as a share of the focal length. */
  readonly radius: number
}

/** What a lens check says. */
export interface CheckedLens {
  readonly evidence: LensEvidence
  /** undefined: what was seen does not say. */
  readonly deviation: LensDeviation | undefined
}

/** A frame whose place is known well enough to begin with. */
export interface CheckedFrame {
  readonly observation: Observation
  /** The camera's optical frame (x right, y down, z forward) on the field, as it was solved. */
  readonly optical: Pose
  /** Keys of tags that may be used (solve-map.ts). */
  readonly used: ReadonlySet<number>
}

/** Distortion is told for places at 27 degrees from the axis. */
export const RADIUS = 0.5

const POSE = 6
const LENS = 3
const TAG = 6
const RAD = Math.PI / 180
const ROUNDS = 2
/** In a frame: of one alone nothing of the lens can be told from where the camera is. */
export const MIN_CHECKED_TAGS = 2
/** Different ones, that are followed: a field has fewer, and their unknowns take half a megabyte. */
const MAX_TAGS = 40
/** From the last frame that was used: standing still, the same errors would count again and again. */
const MIN_MOVED_M = 0.1
const MIN_TURNED_RAD = 3 * RAD
/** However sharp a picture: below that a lens model is not known. */
const MIN_SIGMA_PX = 0.05
/** One that fits worse was solved wrongly, or is no view of this map. */
const MAX_RMS_SIGMAS = 30

const FX = OBSERVATION_HEAD.indexOf('fx_px')
const FAMILY = OBSERVATION_TAG.indexOf('family')
const ID = OBSERVATION_TAG.indexOf('id')
const CORNERS = OBSERVATION_TAG.indexOf('x0')
const SIGMA = OBSERVATION_TAG.indexOf('sigma_px')
const COUNT = OBSERVATION_HEAD.indexOf('tag_count')

/** Of one camera with one lens, on one map. */
export class LensCheck {
  readonly #map: SolveMap
  readonly #errors: LocalizationConfig['errors']
  /** Of each tag of the map that was seen: which one it is here. */
  readonly #slots = new Map<number, number>()
  /** Normal equations of all tags that were seen and, last, the lens. */
  #matrix = new Float64Array(0)
  #right = new Float64Array(0)
  #size = 0
  #frames = 0
  #rows = 0
  /** Squared residuals by their variances, when the pose of each frame is the best one. */
  #misfit = 0
  #sigmaPx = 0
  #radius = 0
  /** Where the camera was solved to be in the last frame that was used. */
  #last = new Float64Array(12)
  readonly #state = new Float64Array(12)
  readonly #moved = new Float64Array(12)
  readonly #step = new Float64Array(POSE)

  constructor(map: SolveMap, errors: LocalizationConfig['errors']) {
    this.#map = map
    this.#errors = errors
  }

  /** False: it says nothing, or nothing new. */
  add(frame: CheckedFrame): boolean {
    const { observation, optical } = frame
    const rows = this.#tagsOf(frame)
    const focal = at(observation, FX)
    if (rows.length < MIN_CHECKED_TAGS || !(focal > 0) || !stateOfPose(optical, this.#state)) return false
    if (this.#frames > 0 && !this.#hasMoved()) return false
    const solved = this.#state.slice()
    for (let round = 0; round < ROUNDS; round++) {
      const equations = this.#equationsOf(observation, rows, focal)
      if (!equations) return false
      const { matrix, right, width } = equations
      for (let k = 0; k < POSE; k++) this.#step[k] = at(right, k)
      const block = new Float64Array(POSE * POSE)
      for (let row = 0; row < POSE; row++)
        for (let column = 0; column <= row; column++) block[row * POSE + column] = at(matrix, row * width + column)
      if (!factorise(block, POSE)) return false
      solveLower(block, POSE, POSE, this.#step)
      solveUpper(block, POSE, POSE, this.#step)
      moveState(this.#state, this.#step, this.#moved)
      this.#state.set(this.#moved)
    }
    const equations = this.#equationsOf(observation, rows, focal)
    if (!equations || !this.#take(equations, rows, observation)) return false
    this.#last = solved
    return true
  }

  /** That were used. */
  get frames(): number {
    return this.#frames
  }

  get result(): CheckedLens {
    const deviations = this.#solve()
    const rms = (misfit: number) => this.#sigmaPx * Math.sqrt(Math.max(0, misfit) / Math.max(1, this.#rows))
    return {
      evidence: {
        frames: this.#frames,
        tags: this.#slots.size,
        residualPx: rms(this.#misfit),
        correctedPx: rms(deviations?.misfit ?? this.#misfit),
        radius: this.#radius,
      },
      deviation: deviations?.deviation,
    }
  }

  /** The rows of the observation that may be used. */
  #tagsOf({ observation, used }: CheckedFrame): readonly number[] {
    const rows: number[] = []
    for (let row = 0; row < at(observation, COUNT) && tagAt(row + 1) <= observation.length; row++) {
      const key = tagKey(at(observation, tagAt(row) + FAMILY), at(observation, tagAt(row) + ID))
      const hasRoom = this.#slots.has(key) || this.#slots.size + rows.length < MAX_TAGS
      if (used.has(key) && this.#map.index.has(key) && hasRoom) rows.push(row)
    }
    return rows
  }

  #hasMoved(): boolean {
    const moved = Math.hypot(...[0, 1, 2].map((k) => at(this.#state, k) - at(this.#last, k)))
    let trace = 0
    for (let k = 3; k < 12; k++) trace += at(this.#state, k) * at(this.#last, k)
    return moved >= MIN_MOVED_M || Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2))) >= MIN_TURNED_RAD
  }

  /**
   * Normal equations of pose, lens and the tags of this frame, about where the camera is believed to be. The pose moves
   * by metres and radians about the axes of the field, as moveState has it; undefined: a corner lies behind the camera.
   */
  #equationsOf(observation: Observation, rows: readonly number[], focal: number): Equations | undefined {
    const width = POSE + LENS + TAG * rows.length
    const matrix = new Float64Array(width * width)
    const right = new Float64Array(width)
    const row = new Float64Array(width)
    const { corners, middles, index } = this.#map
    const state = this.#state
    let misfit = 0
    let radius = 0
    for (const [n, place] of rows.entries()) {
      const first = tagAt(place)
      const tag = index.get(tagKey(at(observation, first + FAMILY), at(observation, first + ID))) as number
      const weight = focal / Math.max(MIN_SIGMA_PX, at(observation, first + SIGMA))
      for (let corner = 0; corner < 4; corner++) {
        const from = 12 * tag + 3 * corner
        const d = [0, 1, 2].map((k) => at(corners, from + k) - at(state, k)) as [number, number, number]
        const arm = [0, 1, 2].map((k) => at(corners, from + k) - at(middles, 3 * tag + k)) as typeof d
        // along the camera's axes, which are the columns of the rotation
        const [x, y, z] = [0, 1, 2].map((k) => columnTimes(state, k, d)) as typeof d
        if (!(z > MIN_DEPTH_M)) return undefined
        const seen = [at(observation, first + CORNERS + 2 * corner), at(observation, first + CORNERS + 2 * corner + 1)]
        const [u, v] = seen as [number, number]
        const square = (x * x + y * y) / (z * z * RADIUS * RADIUS)
        radius = Math.max(radius, Math.hypot(u, v))
        for (let axis = 0; axis < 2; axis++) {
          const share = (axis === 0 ? x : y) / z
          // how the place in the picture follows the corner along the axes of the field
          const g = [0, 1, 2].map(
            (k) => (at(state, 3 + 3 * k + axis) - share * at(state, 3 + 3 * k + 2)) / z,
          ) as typeof d
          const seenAt = axis === 0 ? u : v
          const off = seenAt - share
          row.fill(0)
          for (let k = 0; k < 3; k++) row[k] = -(g[k] as number)
          row.set(times(-1, cross(d, g)), 3)
          // where it should be seen, not where it is: the noise of that would look like a larger focal length
          row[POSE] = share
          row[POSE + 1] = axis === 0 ? share / 2 : -share / 2
          row[POSE + 2] = share * square
          row.set(g, POSE + LENS + TAG * n)
          row.set(cross(arm, g), POSE + LENS + TAG * n + 3)
          for (let a = 0; a < width; a++) {
            const part = at(row, a) * weight * weight
            if (part === 0) continue
            add(right, a, part * off)
            for (let b = 0; b <= a; b++) add(matrix, a * width + b, part * at(row, b))
          }
          misfit += (off * weight) ** 2
        }
      }
    }
    return { matrix, right, width, misfit, radius }
  }

  /** Takes the pose out, and adds what is left to all frames. */
  #take(
    { matrix, right, width, misfit, radius }: Equations,
    rows: readonly number[],
    observation: Observation,
  ): boolean {
    const block = new Float64Array(POSE * POSE)
    for (let row = 0; row < POSE; row++)
      for (let column = 0; column <= row; column++) block[row * POSE + column] = at(matrix, row * width + column)
    if (!factorise(block, POSE)) return false
    if (Math.sqrt(misfit / (8 * rows.length)) > MAX_RMS_SIGMAS) return false
    // L^-1 times what pose and the others have in common
    const rest = width - POSE
    const common = new Float64Array(POSE * (rest + 1))
    for (let k = 0; k < POSE; k++) {
      for (let n = 0; n < rest; n++) common[k * (rest + 1) + n] = at(matrix, (POSE + n) * width + k)
      common[k * (rest + 1) + rest] = at(right, k)
    }
    for (let n = 0; n <= rest; n++) solveLower(block, POSE, POSE, common, n, rest + 1)
    const slots = rows.map((row) => this.#slotOf(observation, row))
    const indexOf = (n: number) => {
      if (n < LENS) return this.#size - LENS + n
      return TAG * (slots[Math.floor((n - LENS) / TAG)] as number) + ((n - LENS) % TAG)
    }
    const product = (a: number, b: number) => {
      let sum = 0
      for (let k = 0; k < POSE; k++) sum += at(common, k * (rest + 1) + a) * at(common, k * (rest + 1) + b)
      return sum
    }
    for (let a = 0; a < rest; a++) {
      const to = indexOf(a)
      add(this.#right, to, at(right, POSE + a) - product(a, rest))
      for (let b = 0; b <= a; b++) {
        const other = indexOf(b)
        const entry = at(matrix, (POSE + a) * width + POSE + b) - product(a, b)
        add(this.#matrix, Math.max(to, other) * this.#size + Math.min(to, other), entry)
      }
    }
    this.#misfit += misfit - product(rest, rest)
    this.#rows += 8 * rows.length - POSE
    this.#frames += 1
    this.#radius = Math.max(this.#radius, radius)
    const sigma = rows.reduce((sum, row) => sum + at(observation, tagAt(row) + SIGMA), 0) / rows.length
    this.#sigmaPx += (Math.max(MIN_SIGMA_PX, sigma) - this.#sigmaPx) / this.#frames
    return true
  }

  /** Where the unknowns of a tag are; makes room for those of one that was not seen before. */
  #slotOf(observation: Observation, row: number): number {
    const first = tagAt(row)
    const key = tagKey(at(observation, first + FAMILY), at(observation, first + ID))
    const known = this.#slots.get(key)
    if (known !== undefined) return known
    const slot = this.#slots.size
    this.#slots.set(key, slot)
    const before = this.#size
    const size = TAG * (slot + 1) + LENS
    const matrix = new Float64Array(size * size)
    const right = new Float64Array(size)
    const moved = (n: number) => (n < before - LENS ? n : n + size - before)
    for (let a = 0; a < before; a++) {
      right[moved(a)] = at(this.#right, a)
      for (let b = 0; b <= a; b++) matrix[moved(a) * size + moved(b)] = at(this.#matrix, a * before + b)
    }
    this.#matrix = matrix
    this.#right = right
    this.#size = size
    return slot
  }

  #solve(): { readonly deviation: LensDeviation; readonly misfit: number } | undefined {
    const size = this.#size
    if (size === 0) return undefined
    const matrix = Float64Array.from(this.#matrix)
    const right = Float64Array.from(this.#right)
    // tags hang about where the map says
    const place = 1 / this.#errors.map_m ** 2
    const turn = 1 / (this.#errors.map_deg * RAD) ** 2
    for (let n = 0; n < size - LENS; n++) add(matrix, n * size + n, n % TAG < 3 ? place : turn)
    if (!factorise(matrix, size)) return undefined
    solveLower(matrix, size, size, right)
    let explained = 0
    for (let n = 0; n < size; n++) explained += at(right, n) ** 2
    solveUpper(matrix, size, size, right)
    const misfit = Math.max(0, this.#misfit - explained)
    let hung = 0
    for (let n = 0; n < size - LENS; n++) hung += at(right, n) ** 2 * (n % TAG < 3 ? place : turn)
    // noise that is larger than the engine says, and tags that hang worse than is said, make all of it less sure
    const scale = Math.sqrt(Math.max(1, misfit / Math.max(1, this.#rows - LENS), hung / (size - LENS)))
    const stds = [0, 1, 2].map((n) => {
      const unit = new Float64Array(size)
      unit[size - LENS + n] = 1
      solveLower(matrix, size, size, unit)
      let sum = 0
      for (let k = 0; k < size; k++) sum += at(unit, k) ** 2
      return scale * Math.sqrt(sum)
    }) as [number, number, number]
    const [focal, aspect, radial] = [0, 1, 2].map((n) => at(right, size - LENS + n)) as [number, number, number]
    if (![focal, aspect, radial, ...stds].every(Number.isFinite)) return undefined
    return {
      deviation: { focal, focalStd: stds[0], aspect, aspectStd: stds[1], radial, radialStd: stds[2] },
      misfit,
    }
  }
}

interface Equations {
  readonly matrix: Float64Array
  readonly right: Float64Array
  readonly width: number
  readonly misfit: number
  readonly radius: number
}

type Three = readonly [number, number, number]

/** Of the rotation of a state. */
const columnTimes = (state: Float64Array, column: number, [x, y, z]: Three): number =>
  at(state, 3 + column) * x + at(state, 6 + column) * y + at(state, 9 + column) * z

const cross = ([a, b, c]: Three, [x, y, z]: Three): Three => [b * z - c * y, c * x - a * z, a * y - b * x]

const times = (by: number, [x, y, z]: Three): Three => [by * x, by * y, by * z]
