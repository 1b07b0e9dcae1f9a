// A tag that hangs elsewhere than the map says, or that was read wrong: which of them the others contradict.
import { at } from './arrays.ts'
import type { Descent } from './descent.ts'
import { STATE_LENGTH } from './pose-state.ts'
import type { Priors } from './priors.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

/** With two, nobody knows which of them it is. */
const MIN_IDS = 3
const MAX_ROUNDS = 3
const MAX_TRIED = 3

export class LeaveOut {
  /** From where to go on when something was left out. */
  readonly state = new Float64Array(STATE_LENGTH)
  private readonly tried = new Float64Array(STATE_LENGTH)
  private readonly worst: number[] = []
  private readonly sightings: Sightings
  private readonly map: SolveMap
  private readonly priors: Priors
  private readonly descent: Descent

  constructor(sightings: Sightings, map: SolveMap, priors: Priors, descent: Descent) {
    this.sightings = sightings
    this.map = map
    this.priors = priors
    this.descent = descent
  }

  /**
   * Marks what is left out as not used; answers whether anything is. While a tag's misfit (of eight numbers) is above
   * `maxChi2`, the three worst are tried without, and the one stays out without which the others agree best.
   */
  run(from: Float64Array, maxChi2: number): boolean {
    this.state.set(from)
    let isAny = false
    for (let round = 0; round < MAX_ROUNDS && this.findWorst(maxChi2); round++) {
      const all = this.costFrom()
      let best = -1
      let bestCost = Number.POSITIVE_INFINITY
      for (const tag of this.worst) {
        this.use(tag, 0)
        const cost = this.costFrom()
        this.use(tag, 1)
        if (cost < bestCost) {
          best = tag
          bestCost = cost
          this.tried.set(this.descent.state)
        }
      }
      if (best < 0) return isAny
      const seen = this.timesSeen(best)
      const scale = Math.max(1, bestCost / (8 * (this.usedCount() - seen)))
      // for several cameras the same chance: chi2 of 8 numbers each
      if (!(all - bestCost > scale * (8 * seen + (maxChi2 - 8) * Math.sqrt(seen)))) return isAny
      this.use(best, 0)
      this.state.set(this.tried)
      isAny = true
    }
    return isAny
  }

  private costFrom(): number {
    return this.descent.run(this.state, this.sightings, this.map, this.priors, false)
  }

  /** By their misfit, worst first; false: there is no reason to leave any out, or there are too few. */
  private findWorst(maxChi2: number): boolean {
    const { sightings, worst } = this
    const { equations } = this.descent
    equations.reserve(sightings.count)
    equations.costOf(this.state, sightings, this.map, this.priors, false)
    worst.length = 0
    let ids = 0
    let isAbove = false
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0) continue
      if (at(equations.chi2, n) > maxChi2) isAbove = true
      if (this.firstOf(n) !== n) continue
      ids++
      worst.push(at(sightings.mapTag, n))
    }
    if (!isAbove || ids < MIN_IDS) return false
    worst.sort((a, b) => this.misfitOf(b) - this.misfitOf(a))
    worst.length = MAX_TRIED
    return true
  }

  private firstOf(n: number): number {
    const { mapTag, isUsed } = this.sightings
    for (let m = 0; m < n; m++) if (at(isUsed, m) === 1 && at(mapTag, m) === at(mapTag, n)) return m
    return n
  }

  private misfitOf(tag: number): number {
    let sum = 0
    for (let n = 0; n < this.sightings.count; n++)
      if (at(this.sightings.isUsed, n) === 1 && at(this.sightings.mapTag, n) === tag)
        sum += at(this.descent.equations.chi2, n)
    return sum
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
