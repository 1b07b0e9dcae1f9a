// Where all cameras together say the robot is: the best pose, and a second one where tags in one plane leave two.
import { at } from './arrays.ts'
import { Descent } from './descent.ts'
import { STATE_LENGTH } from './pose-state.ts'
import type { Priors } from './priors.ts'
import type { RoundProblem } from './round.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'
import { mirrorState } from './square-pose.ts'
import { isSameState, Starts } from './starts.ts'

/** How many starts are descended from. */
const MAX_DESCENTS = 3

/** Squared misfit of a number: where a pose explains tags in several planes as well as that, no other one does. */
const GOOD_MISFIT = 3

const SAME_PLANE_M = 0.02
const SAME_PLANE_COSINE = 0.9994 // 2 degrees: as walls are built

export class Search {
  /** The best pose. */
  readonly state = new Float64Array(STATE_LENGTH)
  cost = Number.POSITIVE_INFINITY
  /** Another one that is an optimum of its own, with `hasSecond`. */
  readonly second = new Float64Array(STATE_LENGTH)
  hasSecond = false
  /** Whether all that is seen lies in one plane, for one camera. */
  isFlat = false
  readonly descent = new Descent()

  private secondCost = Number.POSITIVE_INFINITY
  private readonly starts = new Starts()
  private readonly turned = new Float64Array(STATE_LENGTH)
  private readonly middle: [number, number, number] = [0, 0, 0]
  private readonly sightings: Sightings
  private readonly map: SolveMap
  private readonly priors: Priors

  constructor(sightings: Sightings, map: SolveMap, priors: Priors) {
    this.sightings = sightings
    this.map = map
    this.priors = priors
  }

  /** False: no pose has all that is seen before its cameras. */
  run(problem: RoundProblem): boolean {
    this.forget()
    this.isFlat = this.seesOnePlane()
    this.starts.collect(problem, this.descent.equations, this.sightings, this.map, this.priors)
    this.descend()
    if (!this.isGood()) {
      this.starts.collectCold(this.descent.equations, this.sightings, this.map, this.priors)
      this.descend()
    }
    if (this.isFlat && this.cost < Number.POSITIVE_INFINITY) this.lookAtMirror()
    return this.cost < Number.POSITIVE_INFINITY
  }

  /** From a pose, with what is used now. Only an optimum near it is looked for. */
  again(from: Float64Array): boolean {
    this.turned.set(from)
    this.forget()
    this.isFlat = this.seesOnePlane()
    this.take(this.turned)
    if (this.isFlat && this.cost < Number.POSITIVE_INFINITY) this.lookAtMirror()
    return this.cost < Number.POSITIVE_INFINITY
  }

  /** From a pose to the optimum next to it, whatever others there are. */
  settle(from: Float64Array): boolean {
    const hadSecond = this.hasSecond
    this.turned.set(from)
    this.forget()
    this.take(this.turned)
    this.hasSecond = hadSecond
    return this.cost < Number.POSITIVE_INFINITY
  }

  private forget(): void {
    this.cost = this.secondCost = Number.POSITIVE_INFINITY
    this.hasSecond = false
  }

  private descend(): void {
    for (let n = 0, runs = 0; n < this.starts.count && runs < MAX_DESCENTS; n++) {
      const start = this.starts.state(n)
      if (this.isKnown(start)) continue
      this.take(start)
      runs++
      if (!this.isFlat && this.isGood()) return
    }
  }

  private isGood(): boolean {
    return this.cost < GOOD_MISFIT * 8 * this.sightings.count
  }

  private isKnown(state: Float64Array): boolean {
    return (
      (this.cost < Number.POSITIVE_INFINITY && isSameState(state, this.state)) ||
      (this.hasSecond && isSameState(state, this.second))
    )
  }

  private take(start: Float64Array): void {
    const cost = this.descent.run(start, this.sightings, this.map, this.priors, true)
    if (!(cost < Number.POSITIVE_INFINITY)) return
    const { state } = this.descent
    if (this.cost < Number.POSITIVE_INFINITY && isSameState(state, this.state)) {
      if (cost < this.cost) this.keep(state, cost)
    } else if (cost < this.cost) {
      if (this.cost < Number.POSITIVE_INFINITY) this.keepSecond(this.state, this.cost)
      this.keep(state, cost)
    } else if (cost < this.secondCost) this.keepSecond(state, cost)
  }

  private keep(state: Float64Array, cost: number): void {
    this.state.set(state)
    this.cost = cost
  }

  private keepSecond(state: Float64Array, cost: number): void {
    this.second.set(state)
    this.secondCost = cost
    this.hasSecond = true
  }

  private lookAtMirror(): void {
    const { sightings, map, middle } = this
    let tags = 0
    let last = 0
    middle.fill(0)
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0) continue
      for (let k = 0; k < 3; k++) middle[k] = (middle[k] as number) + at(map.middles, 3 * at(sightings.mapTag, n) + k)
      tags++
      last = n
    }
    for (let k = 0; k < 3; k++) middle[k] = (middle[k] as number) / tags
    if (mirrorState(this.state, last, middle, sightings, map, this.turned) && !this.isKnown(this.turned))
      this.take(this.turned)
  }

  private seesOnePlane(): boolean {
    const { sightings, map } = this
    let first = -1
    for (let n = 0; n < sightings.count; n++) {
      if (at(sightings.isUsed, n) === 0) continue
      if (first < 0) first = n
      if (at(sightings.cameraOf, n) !== at(sightings.cameraOf, first)) return false
      const plane = 3 * at(sightings.mapTag, first)
      const tag = 3 * at(sightings.mapTag, n)
      let cosine = 0
      let off = 0
      for (let k = 0; k < 3; k++) {
        cosine += at(map.normals, plane + k) * at(map.normals, tag + k)
        off += at(map.normals, plane + k) * (at(map.middles, tag + k) - at(map.middles, plane + k))
      }
      if (!(cosine > SAME_PLANE_COSINE && Math.abs(off) < SAME_PLANE_M)) return false
    }
    return true
  }
}
