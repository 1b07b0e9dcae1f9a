// One pose of the robot from all cameras of a round.
import { at } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import type { JointSolution } from './joint-solution.ts'
import { LeaveOut } from './leave-out.ts'
import { Outcome } from './outcome.ts'
import { poseOfState, wrapAngle, yawOfState } from './pose-state.ts'
import { Priors } from './priors.ts'
import type { TagReason } from './reasons.ts'
import { Refinement } from './refinement.ts'
import type { RoundProblem } from './round.ts'
import { Search } from './search.ts'
import { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'
import { addDoubt, isDecided, logOdds } from './two-minima.ts'

/** A pose that is less sure than that is none: of x, y or z, metres. */
const MAX_STD_M = 2

/** How far outside of the field a robot is believed to be. */
const MAX_OUTSIDE_M = 0.5

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
    this.leaveOut = new LeaveOut(this.sightings, map, this.priors, this.search.descent)
    this.outcome = new Outcome(this.sightings, map, this.priors)
  }

  solve(problem: RoundProblem): JointSolution {
    const { sightings, priors, search, leaveOut, config } = this
    const canBeSeen = sightings.fill(problem, this.map, config)
    priors.set(problem, config)
    if (!canBeSeen) return this.outcome.nothing(null)
    if (!search.run(problem)) return this.outcome.nothing('inconsistent')
    if (leaveOut.run(search.state, config.gate.tag_chi2) && !search.again(leaveOut.state))
      return this.outcome.nothing('inconsistent')
    let odds = this.decide(problem)
    if (odds === undefined) return this.outcome.nothing('too_unsure')
    const freeYaw = this.freeYaw()
    if (freeYaw && priors.hasHeading && this.contradictsHeading(freeYaw)) {
      if (search.isFlat) return { ...this.outcome.nothing('heading_contradicts'), freeYaw }
      priors.dropHeading()
      if (!search.again(this.best.state)) return this.outcome.nothing('heading_contradicts')
      odds = this.decide(problem)
      if (odds === undefined) return this.outcome.nothing('too_unsure')
    }
    const alternative = odds < Number.POSITIVE_INFINITY ? poseOfState(this.other.state) : undefined
    const shared = { alternative, freeYaw, headingUsed: priors.hasHeading }
    const refusal = this.refusal(odds)
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

  /** Takes the heading, which is one number about the yaw, out of what is known of it. */
  private freeYaw(): JointSolution['freeYaw'] {
    const { best, priors } = this
    const variance = at(best.covariance, 35)
    const yaw = yawOfState(best.state)
    if (!priors.hasHeading) return { yaw, std: Math.sqrt(variance) }
    const free = 1 / (1 / variance - 1 / priors.headingVariance)
    if (!(free > 0 && free < 10)) return undefined
    const off = priors.headingOff(best.state)
    return { yaw: wrapAngle(yaw - off + (free * off) / variance), std: Math.sqrt(free) }
  }

  private contradictsHeading({ yaw, std }: { readonly yaw: number; readonly std: number }): boolean {
    const { best, priors } = this
    const off = wrapAngle(yaw - yawOfState(best.state) + priors.headingOff(best.state))
    return off ** 2 / (std ** 2 + priors.headingVariance) > MAX_HEADING_CHI2
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
