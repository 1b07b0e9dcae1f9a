// A tag that hangs elsewhere than the map says, or that was read wrong: which of them the others contradict. First by
// a plain fit, which finds what is far off; then by the full model, which knows how far map and mounts may be off and
// so finds the rest.
import { at } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import type { Descent } from './descent.ts'
import { STATE_LENGTH } from './pose-state.ts'
import type { Priors } from './priors.ts'
import { Refinement } from './refinement.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

/** With two, nobody knows which of them it is. */
const MIN_IDS = 3
const MAX_ROUNDS = 3
const MAX_TRIED = 3

/** Of eight numbers: one tag in a hundred has more by chance, and is worth a closer look. */
const SUSPICIOUS_CHI2 = 20

export class LeaveOut {
  /** From where to go on when something was left out. */
  readonly state = new Float64Array(STATE_LENGTH)
  private readonly tried = new Float64Array(STATE_LENGTH)
  private readonly bestTried = new Float64Array(STATE_LENGTH)
  private readonly worst: number[] = []
  /** Of each tag of the map that is used, its misfit; kept for the order. */
  private readonly misfits = new Map<number, number>()
  private readonly without = new Refinement()
  private readonly sightings: Sightings
  private readonly map: SolveMap
  private readonly priors: Priors
  private readonly descent: Descent
  private readonly config: LocalizationConfig

  constructor(
    given: { readonly sightings: Sightings; readonly map: SolveMap; readonly priors: Priors },
    descent: Descent,
    config: LocalizationConfig,
  ) {
    this.sightings = given.sightings
    this.map = given.map
    this.priors = given.priors
    this.descent = descent
    this.config = config
  }

  /**
   * Marks what is left out as not used; answers whether anything is. While a tag's misfit (of eight numbers) is above
   * the gate, the three worst are tried without, and the one stays out without which the others agree best.
   */
  byFit(from: Float64Array): boolean {
    const { tag_chi2 } = this.config.gate
    this.state.set(from)
    let isAny = false
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (!this.sort(this.fitMisfits(), tag_chi2)) return isAny
      const all = this.costFrom()
      if (!this.dropWorst(all, tag_chi2, this.costFrom)) return isAny
      isAny = true
    }
    return isAny
  }

  /** The same by the full model, for one tag. of: with all that are used. */
  byFullModel({ state, misfit, priorCost, tagMisfits }: Refinement): boolean {
    this.state.set(state)
    return (
      this.sort(tagMisfits, SUSPICIOUS_CHI2) &&
      this.dropWorst(misfit + priorCost, this.config.gate.tag_chi2, this.fullCost)
    )
  }

  private readonly costFrom = (): number => {
    const cost = this.descent.run(this.state, this.sightings, this.map, this.priors, false)
    this.tried.set(this.descent.state)
    return cost
  }

  private readonly fullCost = (): number => {
    const { without } = this
    if (!without.run(this.state, this.sightings, this.map, this.priors, this.config.errors))
      return Number.POSITIVE_INFINITY
    this.tried.set(without.state)
    return without.misfit + without.priorCost
  }

  /** all: the cost with all of them. */
  private dropWorst(all: number, maxChi2: number, costOf: () => number): boolean {
    let best = -1
    let bestCost = Number.POSITIVE_INFINITY
    for (const tag of this.worst) {
      this.use(tag, 0)
      const cost = costOf()
      this.use(tag, 1)
      if (!(cost < bestCost)) continue
      best = tag
      bestCost = cost
      this.bestTried.set(this.tried)
    }
    if (best < 0) return false
    const seen = this.timesSeen(best)
    const scale = Math.max(1, bestCost / (8 * (this.usedCount() - seen)))
    // for several cameras the same chance: chi2 of eight numbers each
    if (!(all - bestCost > scale * (8 * seen + (maxChi2 - 8) * Math.sqrt(seen)))) return false
    this.use(best, 0)
    this.state.set(this.bestTried)
    return true
  }

  private fitMisfits(): Float64Array {
    const { sightings, descent } = this
    descent.equations.reserve(sightings.count)
    descent.equations.costOf(this.state, sightings, this.map, this.priors, false)
    return descent.equations.chi2
  }

  /** Worst first; false: there is no reason to leave any out, or there are too few. */
  private sort(misfits: Float64Array, maxChi2: number): boolean {
    const { sightings, worst } = this
    let isAbove = false
    this.misfits.clear()
    for (let n = 0; n < sightings.count; n++) {
      const misfit = at(misfits, n)
      if (at(sightings.isUsed, n) === 0 || !(misfit >= 0)) continue
      if (misfit > maxChi2) isAbove = true
      const tag = at(sightings.mapTag, n)
      this.misfits.set(tag, (this.misfits.get(tag) ?? 0) + misfit)
    }
    if (!isAbove || this.misfits.size < MIN_IDS) return false
    worst.length = 0
    worst.push(...this.misfits.keys())
    worst.sort((a, b) => (this.misfits.get(b) as number) - (this.misfits.get(a) as number))
    worst.length = MAX_TRIED
    return true
  }

  private use(tag: number, isUsed: number): void {
    for (let n = 0; n < this.sightings.count; n++)
      if (at(this.sightings.mapTag, n) === tag) this.sightings.isUsed[n] = isUsed
  }

  private timesSeen(tag: number): number {
    let count = 0
    for (let n = 0; n < this.sightings.count; n++) if (at(this.sightings.mapTag, n) === tag) count++
    return count
  }

  private usedCount(): number {
    let count = 0
    for (let n = 0; n < this.sightings.count; n++) count += at(this.sightings.isUsed, n)
    return count
  }
}
