// One pose of the robot from all cameras of a round.
import { at } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import { applyHeading, headingChi2, headingOf } from './heading-prior.ts'
import type { JointSolution } from './joint-solution.ts'
import { LeaveOut } from './leave-out.ts'
import { Outcome } from './outcome.ts'
import { poseOfState, yawOfState } from './pose-state.ts'
import { Priors } from './priors.ts'
import type { TagReason } from './reasons.ts'
import { Refinement } from './refinement.ts'
import type { Heading, RoundProblem } from './round.ts'
import { Search } from './search.ts'
import { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'
import { addDoubt, isDecided, logOdds } from './two-minima.ts'

/** A pose that is less sure than that is none: of x, y or z, metres. */
const MAX_STD_M = 2

/** By the full model, of one round. */
const MAX_LEFT_OUT = 3

/** How far outside of the field a robot is believed to be. */
const MAX_OUTSIDE_M = 0.5

/** Beyond that, tags do not say which way the robot looks. */
const MAX_YAW_STD_RAD = 1

/** Squared deviations between heading and tags: 4 sigma. */
const MAX_HEADING_CHI2 = 16

/** Solves rounds, one after the other; its arrays are used again. */
export class JointSolver {
  private readonly map: SolveMap
  private readonly config: LocalizationConfig
  private readonly sightings = new Sightings()
  private readonly priors = new Priors()
  private readonly search: Search
  private readonly leaveOut: LeaveOut
  private readonly outcome: Outcome
  private best = new Refinement()
  private other = new Refinement()

  constructor({ map, config }: { readonly map: SolveMap; readonly config: LocalizationConfig }) {
    this.map = map
    this.config = config
    this.search = new Search(this.sightings, map, this.priors)
    const { sightings, priors } = this
    this.leaveOut = new LeaveOut({ sightings, map, priors }, this.search.descent, config)
    this.outcome = new Outcome(this.sightings, map, this.priors)
  }

  solve(problem: RoundProblem): JointSolution {
    const { sightings, priors, search, leaveOut, config } = this
    const heading = headingOf(problem)
    const canBeSeen = sightings.fill(problem, this.map, config)
    priors.set(problem, config)
    if (!canBeSeen) return this.outcome.nothing(null)
    if (!search.run(problem)) return this.outcome.nothing('inconsistent')
    if (leaveOut.byFit(search.state) && !search.again(leaveOut.state)) return this.outcome.nothing('inconsistent')
    let odds = this.decide(problem)
    for (let round = 0; round < MAX_LEFT_OUT && odds !== undefined && leaveOut.byFullModel(this.best); round++) {
      if (!search.again(leaveOut.state)) return this.outcome.nothing('inconsistent')
      odds = this.decide(problem)
    }
    if (odds === undefined) return this.outcome.nothing('too_unsure')
    const freeYaw = this.freeYaw()
    const headingUsed = heading !== undefined && this.takeHeading(heading)
    const alternative = odds < Number.POSITIVE_INFINITY ? poseOfState(this.other.state) : undefined
    const shared = { alternative, freeYaw, headingUsed }
    const isContradicted = heading !== undefined && !headingUsed && this.seesOneTag()
    const refusal = isContradicted ? 'heading_contradicts' : this.refusal(odds)
    if (refusal) return { ...this.outcome.nothing(refusal), ...shared }
    return { ...this.outcome.of(this.best), ...shared }
  }

  /** Refines what was found; answers with the odds of the first, which are infinite where there is no other. */
  private decide(problem: RoundProblem): number | undefined {
    const { search, sightings, map, priors } = this
    const { errors } = this.config
    const isFirst = this.best.run(search.state, sightings, map, priors, errors)
    const isSecond = search.hasSecond && this.other.run(search.second, sightings, map, priors, errors)
    if (!isFirst && !isSecond) return undefined
    const odds = isFirst && isSecond ? logOdds(this.best, this.other, tagsUsed(sightings), problem) : 0
    if (!isFirst || odds < 0) [this.best, this.other] = [this.other, this.best]
    return isFirst && isSecond ? Math.abs(odds) : Number.POSITIVE_INFINITY
  }

  private freeYaw(): JointSolution['freeYaw'] {
    const std = Math.sqrt(at(this.best.covariance, 35))
    return std < MAX_YAW_STD_RAD ? { yaw: yawOfState(this.best.state), std } : undefined
  }

  /** False: the tags contradict it, and it is not used. */
  private takeHeading(heading: Heading): boolean {
    const { best, search, sightings, map, priors } = this
    if (headingChi2(best, heading) > MAX_HEADING_CHI2) return false
    if (applyHeading(best, heading)) return true
    priors.setHeading(heading)
    return search.settle(best.state) && best.run(search.state, sightings, map, priors, this.config.errors)
  }

  private seesOneTag(): boolean {
    const { count, isUsed, mapTag } = this.sightings
    let tag = -1
    for (let n = 0; n < count; n++) {
      if (at(isUsed, n) === 0) continue
      if (tag >= 0 && at(mapTag, n) !== tag) return false
      tag = at(mapTag, n)
    }
    return true
  }

  private refusal(odds: number): TagReason | undefined {
    const { best, other, map } = this
    if (!isSure(best)) return 'too_unsure'
    const [x, y] = [at(best.state, 0), at(best.state, 1)]
    const [length, width] = map.size
    const outside = Math.max(-x, x - length, -y, y - width)
    if (outside > MAX_OUTSIDE_M) return 'off_field'
    if (odds === Number.POSITIVE_INFINITY) return undefined
    const decided = isDecided(best, other, odds)
    addDoubt(best, other, odds)
    return decided || isSure(best) ? undefined : 'mirror'
  }
}

const isSure = ({ covariance }: Refinement): boolean =>
  Math.max(at(covariance, 0), at(covariance, 7), at(covariance, 14)) < MAX_STD_M ** 2

const tagsUsed = ({ count, isUsed }: Sightings): number => {
  let used = 0
  for (let n = 0; n < count; n++) used += at(isUsed, n)
  return used
}
