// Where the tags hang and how the cameras sit, from many rounds of a robot that drove about: all poses, tags and
// cameras are solved for together. The poses are eliminated one by one, so what is left are six unknowns of each tag
// and seven of each camera, around where map and rig say they are.
import { add, at, factorise, invertFactor, solveLower, solveUpper } from '../arrays.ts'
import type { LocalizationConfig } from '../config.ts'
import { moveState, STATE_LENGTH } from '../pose-state.ts'
import { Priors } from '../priors.ts'
import { AT_CAMERA, CAMERA, OFF, POSE, ROWS, SightingRows, TAG, WIDTH } from '../sighting-rows.ts'
import { Sightings } from '../sightings.ts'
import type { SolveMap } from '../solve-map.ts'
import type { SurveyRound } from './survey.ts'

const RAD = Math.PI / 180
const MAX_STEPS = 10

/** Of all unknowns, each by its own deviation: what is left is far below it. */
const ARRIVED = 1e-3

/** From that step on a sighting that is far off counts less: before, all of a tag that hangs elsewhere are. */
const ROBUST_FROM = 3
const HUBER_CHI2 = 40

/** A tag that is that many deviations from where the map has it, squared, holds to the map half as much. */
const HALF_TRUST = 9

/** A round, as it is solved. */
interface Look {
  readonly sightings: Sightings
  readonly state: Float64Array
  /** As the rig has them. */
  readonly mounts: Float64Array
  readonly focal: Float64Array
  /** Of each sighting and camera in it: which of all tags and cameras. */
  readonly tags: readonly number[]
  readonly cameras: readonly number[]
}

/** What is solved for of a tag or a camera: by how much it is off, and the covariance of that, by rows. */
export interface Estimate {
  readonly moved: readonly [number, number, number]
  readonly turned: readonly [number, number, number]
  /** Of the six: metres and radians. */
  readonly covariance: Float64Array
  /** In how many rounds it is. */
  readonly rounds: number
}

/** What a survey finds. */
export interface Estimates {
  /** By the index of the tag in the map; along the axes of the field, turned about its middle. */
  readonly tags: ReadonlyMap<number, Estimate>
  /** By the name of the stream; along the axes of the robot, turned about itself. lens: a share of its focal length. */
  readonly cameras: ReadonlyMap<string, Estimate & { readonly lens: number }>
  readonly rounds: number
  /** Root mean square of all corners, as a share of the noise that the engine says. */
  readonly misfit: number
}

/** Solves a survey. tags: of the map that may be solved for; others hold still. */
export class Bundle {
  readonly #map: SolveMap
  readonly #given: SolveMap
  readonly #config: LocalizationConfig
  readonly #looks: readonly Look[]
  readonly #tags: readonly number[]
  readonly #cameras: readonly string[]
  readonly #size: number
  readonly #matrix: Float64Array
  readonly #gradient: Float64Array
  /** How far all is off so far, each by its own deviation. */
  readonly #off: Float64Array
  readonly #priors = new Priors()
  readonly #rows = new SightingRows()
  #written = new Float64Array(0)
  #misfit = 0
  #count = 0

  constructor(map: SolveMap, config: LocalizationConfig, rounds: readonly SurveyRound[]) {
    this.#given = map
    this.#map = { ...map, corners: map.corners.slice(), middles: map.middles.slice() }
    this.#config = config
    this.#cameras = [...new Set(rounds.flatMap(({ frames }) => frames.map(({ streamId }) => streamId)))].sort()
    const looks = rounds.map((round) => this.#look(round)).filter((look) => look !== undefined)
    this.#tags = [...new Set(looks.flatMap(({ sightings: { mapTag, count } }) => [...mapTag.slice(0, count)]))].sort(
      (a, b) => a - b,
    )
    const place = new Map(this.#tags.map((tag, n) => [tag, n]))
    this.#looks = looks.map((look) => ({
      ...look,
      tags: Array.from({ length: look.sightings.count }, (_, n) => place.get(at(look.sightings.mapTag, n)) as number),
    }))
    this.#size = TAG * this.#tags.length + CAMERA * this.#cameras.length
    this.#matrix = new Float64Array(this.#size * this.#size)
    this.#gradient = new Float64Array(this.#size)
    this.#off = new Float64Array(this.#size)
    this.#priors.set({}, config)
  }

  /** How many steps there are at most; each may take a tenth of a second. */
  static readonly maxSteps = MAX_STEPS

  /** undefined: what was seen does not fix it. onStep: called before each step. */
  solve(onStep: (step: number) => void = () => {}): Estimates | undefined {
    if (this.#looks.length === 0) return undefined
    for (let step = 0; step < MAX_STEPS; step++) {
      onStep(step)
      const moved = this.#step(step >= ROBUST_FROM)
      if (moved === undefined) return undefined
      if (moved < ARRIVED && step > ROBUST_FROM) break
    }
    return this.#estimates()
  }

  #look({ frames, motions, state }: SurveyRound): Look | undefined {
    const sightings = new Sightings()
    const round = { frames, capturedUs: 0 }
    const problem = { round, motions, predicted: undefined, heading: undefined, moves: false }
    if (!sightings.fill(problem, this.#given, this.#config)) return undefined
    // what a motion leaves open is not the mount's: such rounds are not taken
    return {
      sightings,
      state: state.slice(),
      mounts: sightings.mounts.slice(),
      focal: sightings.focal.slice(),
      tags: [],
      cameras: Array.from({ length: sightings.cameras }, (_, n) => {
        const frame = sightings.frames[at(sightings.frameOf, n)]
        return this.#cameras.indexOf(frame?.streamId ?? '')
      }),
    }
  }

  /** How far the farthest of all unknowns went; undefined: there is no step. */
  #step(isRobust: boolean): number | undefined {
    const { errors } = this.#config
    this.#matrix.fill(0)
    this.#gradient.fill(0)
    this.#misfit = this.#count = 0
    this.#addPriors()
    const solved = this.#looks.map((look) => this.#eliminate(look, errors, isRobust))
    if (!factorise(this.#matrix, this.#size)) return undefined
    solveLower(this.#matrix, this.#size, this.#size, this.#gradient)
    solveUpper(this.#matrix, this.#size, this.#size, this.#gradient)
    let farthest = 0
    for (let n = 0; n < this.#size; n++) {
      add(this.#off, n, -at(this.#gradient, n))
      farthest = Math.max(farthest, Math.abs(at(this.#gradient, n)))
    }
    if (!Number.isFinite(farthest)) return undefined
    for (const [n, back] of solved.entries()) if (back) this.#moveRobot(this.#looks[n] as Look, back)
    this.#moveAll()
    return farthest
  }

  #addPriors(): void {
    const cameras = TAG * this.#tags.length
    for (let tag = 0; tag < cameras; tag += TAG) {
      let chi2 = 0
      for (let k = 0; k < TAG; k++) chi2 += at(this.#off, tag + k) ** 2
      const trust = 1 / (1 + chi2 / HALF_TRUST)
      for (let k = 0; k < TAG; k++) this.#addPrior(tag + k, trust)
    }
    for (let n = cameras; n < this.#size; n++) this.#addPrior(n, 1)
  }

  #addPrior(n: number, weight: number): void {
    add(this.#matrix, n * (this.#size + 1), weight)
    add(this.#gradient, n, weight * at(this.#off, n))
  }

  /** Takes the pose of a round out; answers with how it follows. undefined: the round fixes none. */
  #eliminate(look: Look, errors: LocalizationConfig['errors'], isRobust: boolean): Back | undefined {
    const { sightings } = look
    if (this.#written.length < ROWS * sightings.count) this.#written = new Float64Array(2 * ROWS * sightings.count)
    const rows = this.#written
    const scene = { state: look.state, sightings, map: this.#map, errors, noise: 1 }
    for (let n = 0; n < sightings.count; n++) if (!this.#rows.describe(n, scene, rows)) return undefined
    const columns = [...new Set(Array.from({ length: sightings.count }, (_, n) => this.#columnsOf(look, n)).flat())]
    const place = new Map(columns.map((column, n) => [column, n]))
    const width = columns.length + 1
    const normal = new Float64Array(36)
    const follows = new Float64Array(POSE * width)
    const gradient = new Float64Array(POSE)
    this.#priors.weighStance(look.state, normal, gradient)
    for (let k = 0; k < POSE; k++) follows[k * width + width - 1] = at(gradient, k)
    for (let n = 0; n < sightings.count; n++) {
      const own = this.#columnsOf(look, n)
      const weight = this.#weigh(rows, n, isRobust)
      this.#addSighting(rows, n, own, weight)
      this.#addPose(rows, n, { own: own.map((column) => place.get(column) as number), weight, normal, follows, width })
    }
    if (!factorise(normal, POSE)) return undefined
    for (let column = 0; column < width; column++) solveLower(normal, POSE, POSE, follows, column, width)
    this.#reduce(columns, follows, width)
    return { factor: normal, follows, columns }
  }

  /** Of a sighting's camera and tag, among all unknowns. */
  #columnsOf({ sightings, tags, cameras }: Look, n: number): readonly number[] {
    const camera = TAG * this.#tags.length + CAMERA * (cameras[at(sightings.cameraOf, n)] as number)
    const tag = TAG * (tags[n] as number)
    return [...Array.from({ length: CAMERA }, (_, k) => camera + k), ...Array.from({ length: TAG }, (_, k) => tag + k)]
  }

  #weigh(rows: Float64Array, n: number, isRobust: boolean): number {
    let chi2 = 0
    for (let row = 0; row < 8; row++) chi2 += at(rows, ROWS * n + WIDTH * row + OFF) ** 2
    const weight = isRobust && chi2 > HUBER_CHI2 ? Math.sqrt(HUBER_CHI2 / chi2) : 1
    this.#misfit += weight * chi2
    this.#count += 8
    return weight
  }

  #addSighting(rows: Float64Array, n: number, own: readonly number[], weight: number): void {
    for (const [a, row] of own.entries()) {
      add(this.#gradient, row, weight * product(rows, n, AT_CAMERA + a, OFF))
      for (const [b, column] of own.entries())
        if (column <= row)
          add(this.#matrix, row * this.#size + column, weight * product(rows, n, AT_CAMERA + a, AT_CAMERA + b))
    }
  }

  #addPose(
    rows: Float64Array,
    n: number,
    to: {
      readonly own: readonly number[]
      readonly weight: number
      readonly normal: Float64Array
      readonly follows: Float64Array
      readonly width: number
    },
  ): void {
    for (let a = 0; a < POSE; a++) {
      for (let b = 0; b <= a; b++) add(to.normal, 6 * a + b, to.weight * product(rows, n, a, b))
      for (const [b, column] of to.own.entries())
        add(to.follows, a * to.width + column, to.weight * product(rows, n, a, AT_CAMERA + b))
      add(to.follows, a * to.width + to.width - 1, to.weight * product(rows, n, a, OFF))
    }
  }

  /** What the pose takes off from all others. */
  #reduce(columns: readonly number[], follows: Float64Array, width: number): void {
    for (const [a, row] of columns.entries()) {
      let sum = 0
      for (let k = 0; k < POSE; k++) sum += at(follows, k * width + a) * at(follows, k * width + width - 1)
      add(this.#gradient, row, -sum)
      for (const [b, column] of columns.entries()) {
        if (column > row) continue
        let entry = 0
        for (let k = 0; k < POSE; k++) entry += at(follows, k * width + a) * at(follows, k * width + b)
        add(this.#matrix, row * this.#size + column, -entry)
      }
    }
  }

  /** The gradient has the step of all others by now. */
  #moveRobot(look: Look, { factor, follows, columns }: Back): void {
    const width = columns.length + 1
    const step = new Float64Array(POSE)
    for (let k = 0; k < POSE; k++) {
      let sum = at(follows, k * width + width - 1)
      for (const [n, column] of columns.entries()) sum -= at(follows, k * width + n) * at(this.#gradient, column)
      step[k] = -sum
    }
    solveUpper(factor, POSE, POSE, step)
    const moved = new Float64Array(STATE_LENGTH)
    moveState(look.state, step, moved)
    look.state.set(moved)
  }

  /** Puts tags and cameras where they are by now. */
  #moveAll(): void {
    for (const [n, tag] of this.#tags.entries()) this.#moveTag(tag, this.#stepOf(TAG * n, this.#tagUnits()))
    for (const { sightings, mounts, focal, cameras } of this.#looks)
      for (const [n, camera] of cameras.entries()) {
        const first = TAG * this.#tags.length + CAMERA * camera
        const to = sightings.mounts.subarray(12 * n, 12 * n + 12)
        moveState(mounts.subarray(12 * n, 12 * n + 12), this.#stepOf(first, this.#cameraUnits()), to)
        for (const axis of [0, 1]) sightings.focal[2 * n + axis] = at(focal, 2 * n + axis) * (1 + this.#lensOf(first))
      }
  }

  #moveTag(tag: number, step: Float64Array): void {
    const from = new Float64Array(STATE_LENGTH)
    const to = new Float64Array(STATE_LENGTH)
    for (let k = 0; k < 3; k++) {
      from[k] = at(this.#given.middles, 3 * tag + k)
      from[3 + 4 * k] = 1
    }
    moveState(from, step, to)
    for (let k = 0; k < 3; k++) this.#map.middles[3 * tag + k] = at(to, k)
    for (let corner = 12 * tag; corner < 12 * tag + 12; corner += 3)
      for (let row = 0; row < 3; row++) {
        let sum = at(to, row)
        for (let k = 0; k < 3; k++) sum += at(to, 3 + 3 * row + k) * (at(this.#given.corners, corner + k) - at(from, k))
        this.#map.corners[corner + row] = sum
      }
  }

  #stepOf(first: number, [metres, radians]: readonly [number, number]): Float64Array {
    return Float64Array.from({ length: 6 }, (_, k) => at(this.#off, first + k) * (k < 3 ? metres : radians))
  }

  #lensOf(first: number): number {
    return at(this.#off, first + 6) * this.#config.errors.lens_share
  }

  #tagUnits(): readonly [number, number] {
    return [this.#config.errors.map_m, this.#config.errors.map_deg * RAD]
  }

  #cameraUnits(): readonly [number, number] {
    return [this.#config.errors.mount_m, this.#config.errors.mount_deg * RAD]
  }

  #estimates(): Estimates {
    const size = this.#size
    const inverse = new Float64Array(size * size)
    invertFactor(this.#matrix, size, inverse)
    const spare = Math.max(1, this.#count - POSE * this.#looks.length)
    const scale = this.#misfit / spare
    const estimate = (first: number, units: readonly [number, number], rounds: number): Estimate => {
      const step = this.#stepOf(first, units)
      const unit = (k: number) => (k < 3 ? units[0] : units[1])
      const covariance = Float64Array.from({ length: 36 }, (_, n) => {
        const [row, column] = [Math.floor(n / 6), n % 6]
        return Math.max(1, scale) * at(inverse, (first + row) * size + first + column) * unit(row) * unit(column)
      })
      const [x, y, z, a, b, c] = step as unknown as readonly [number, number, number, number, number, number]
      return { moved: [x, y, z], turned: [a, b, c], covariance, rounds }
    }
    const seenIn = (of: (look: Look) => readonly number[], n: number) =>
      this.#looks.filter((look) => of(look).includes(n)).length
    const cameras = this.#cameras.map((streamId, n) => {
      const first = TAG * this.#tags.length + CAMERA * n
      const rounds = seenIn((look) => look.cameras, n)
      return [streamId, { ...estimate(first, this.#cameraUnits(), rounds), lens: this.#lensOf(first) }] as const
    })
    const tags = this.#tags.map((tag, n) => {
      return [
        tag,
        estimate(
          TAG * n,
          this.#tagUnits(),
          seenIn((look) => look.tags, n),
        ),
      ] as const
    })
    return {
      tags: new Map(tags),
      cameras: new Map(cameras),
      rounds: this.#looks.length,
      misfit: Math.sqrt(scale),
    }
  }
}

/** How the pose of a round follows all others. */
interface Back {
  readonly factor: Float64Array
  readonly follows: Float64Array
  readonly columns: readonly number[]
}

const product = (rows: Float64Array, n: number, a: number, b: number): number => {
  let sum = 0
  for (let row = 0; row < 8; row++) sum += at(rows, ROWS * n + WIDTH * row + a) * at(rows, ROWS * n + WIDTH * row + b)
  return sum
}
