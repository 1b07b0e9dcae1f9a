// What is said of a solved round: the pose with its deviations, and what each tag and each camera had to do with it.
import { add, at, factorise, invertFactor, solveLower, solveUpper } from './arrays.ts'
import type { JointSolution } from './joint-solution.ts'
import { NormalEquations, PART } from './normal-equations.ts'
import { poseOfState } from './pose-state.ts'
import type { Priors } from './priors.ts'
import type { TagReason } from './reasons.ts'
import type { Refinement } from './refinement.ts'
import type { RoundFrame } from './round.ts'
import type { SeenTag, Sightings } from './sightings.ts'
import type { SixNumbers, SolvedCamera, SolvedTag } from './solution.ts'
import type { SolveMap } from './solve-map.ts'

/** However many tags: map and mounts are no better than that. */
const MIN_STD_M = 0.005
const MIN_STD_RAD = (0.1 * Math.PI) / 180

/** A camera that alone fixes the pose less well says nothing of its mount. */
const MAX_ALONE_M = 0.25
const MAX_ALONE_RAD = (2 * Math.PI) / 180

const UNKNOWN: SolvedCamera['offset'] = [Number.NaN, Number.NaN, Number.NaN]

export class Outcome {
  private readonly equations = new NormalEquations()
  private readonly alone = new Float64Array(36)
  private readonly gradient = new Float64Array(6)
  private readonly inverse = new Float64Array(36)
  private readonly sightings: Sightings
  private readonly map: SolveMap
  private readonly priors: Priors

  constructor(sightings: Sightings, map: SolveMap, priors: Priors) {
    this.sightings = sightings
    this.map = map
    this.priors = priors
  }

  /** Of a round that has no pose. reason: of the tags that could have been used. */
  nothing(reason: TagReason | null): JointSolution {
    const { sightings } = this
    const tags = sightings.seen.map((tag) => ({
      ...unsolved(tag),
      reason: tag.reason ?? (at(sightings.isUsed, tag.sighting) === 0 ? 'inconsistent' : reason),
    }))
    const cameras = sightings.frames.map(({ streamId, capturedUs }) => ({
      streamId,
      capturedUs,
      used: 0,
      residualPx: Number.NaN,
      offset: UNKNOWN,
    }))
    return { solved: undefined, alternative: undefined, tags, cameras, freeYaw: undefined, headingUsed: false }
  }

  of({ state, covariance, pixelCovariance }: Refinement): JointSolution {
    const { equations, sightings, map, priors } = this
    equations.reserve(sightings.count)
    const isSeen = equations.linearise(state, sightings, map, priors, false)
    const deviation = (k: number) =>
      Math.max(k < 3 ? MIN_STD_M : MIN_STD_RAD, Math.sqrt(Math.max(0, at(covariance, 7 * k))))
    const stdDevs: SixNumbers = [deviation(0), deviation(1), deviation(2), deviation(3), deviation(4), deviation(5)]
    const stdXyM = Math.max(MIN_STD_M, Math.sqrt((at(covariance, 0) + at(covariance, 7)) / 2))
    const solved = {
      pose: poseOfState(state),
      covariance: covariance.slice(),
      pixelCovariance: pixelCovariance.slice(),
      stdDevs,
      stdXyM,
    }
    const hasInverse = isSeen && this.invert(equations.normal)
    const tags = sightings.seen.map((tag) => this.tagOf(tag, hasInverse, state))
    const all = sightings.frames.map((frame, n) => this.cameraOf(frame, n, state))
    // of one that is alone it is 0 whatever its mount is
    const isAlone = all.filter(({ used }) => used > 0).length < 2
    const cameras = isAlone ? all.map((camera) => ({ ...camera, offset: UNKNOWN })) : all
    return { solved, alternative: undefined, tags, cameras, freeYaw: undefined, headingUsed: false }
  }

  private tagOf(tag: SeenTag, hasInverse: boolean, state: Float64Array): SolvedTag {
    const { equations, sightings, map } = this
    if (tag.reason !== null) return unsolved(tag)
    const n = tag.sighting
    const used = at(sightings.isUsed, n) === 1
    if (!used && !equations.look(n, state, sightings, map)) return { ...unsolved(tag), reason: 'inconsistent' }
    return {
      ...unsolved(tag),
      used,
      reason: used ? null : 'inconsistent',
      residualPx: Math.sqrt(at(equations.squaredPx, n) / 4),
      chi2: at(equations.chi2, n),
      weight: used && hasInverse ? this.shareOf(n) : 0,
    }
  }

  /** Of the whole normal matrix, to which the tag's part is added. */
  private shareOf(n: number): number {
    let sum = 0
    let entry = PART * n
    for (let row = 0; row < 6; row++)
      for (let column = 0; column <= row; column++) {
        const both = at(this.equations.parts, entry++) * at(this.inverse, 6 * row + column)
        sum += row === column ? both : 2 * both
      }
    return Math.max(0, Math.min(1, sum / 6))
  }

  private cameraOf({ streamId, capturedUs }: RoundFrame, frame: number, state: Float64Array): SolvedCamera {
    const { sightings, equations } = this
    let used = 0
    let squares = 0
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0 || at(sightings.frameOf, at(sightings.cameraOf, n)) !== frame) continue
      used++
      squares += at(equations.squaredPx, n)
    }
    const residualPx = used > 0 ? Math.sqrt(squares / (4 * used)) : Number.NaN
    return { streamId, capturedUs, used, residualPx, offset: used > 0 ? this.offsetOf(frame, state) : UNKNOWN }
  }

  /** One step from where all say to where that camera alone says, with the robot about level on the floor. */
  private offsetOf(frame: number, state: Float64Array): SolvedCamera['offset'] {
    const { sightings, equations, alone, gradient, inverse } = this
    alone.fill(0)
    gradient.fill(0)
    this.priors.weighStance(state, alone, gradient)
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0 || at(sightings.frameOf, at(sightings.cameraOf, n)) !== frame) continue
      let entry = PART * n
      for (let row = 0; row < 6; row++)
        for (let column = 0; column <= row; column++) add(alone, 6 * row + column, at(equations.parts, entry++))
      for (let row = 0; row < 6; row++) add(gradient, row, at(equations.parts, entry++))
    }
    if (!factorise(alone, 6)) return UNKNOWN
    invertFactor(alone, 6, inverse)
    const isFixed = Math.max(at(inverse, 0), at(inverse, 7)) < MAX_ALONE_M ** 2 && at(inverse, 35) < MAX_ALONE_RAD ** 2
    if (!isFixed) return UNKNOWN
    solveLower(alone, 6, 6, gradient)
    solveUpper(alone, 6, 6, gradient)
    return [-at(gradient, 0), -at(gradient, 1), -at(gradient, 5)]
  }

  private invert(normal: Float64Array): boolean {
    this.alone.set(normal)
    if (!factorise(this.alone, 6)) return false
    invertFactor(this.alone, 6, this.inverse)
    return true
  }
}

const unsolved = ({ streamId, family, id, sigmaPx, reason }: SeenTag): SolvedTag => ({
  streamId,
  family,
  id,
  used: false,
  reason,
  residualPx: Number.NaN,
  chi2: Number.NaN,
  sigmaPx,
  weight: 0,
})
