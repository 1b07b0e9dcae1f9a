// Poses from which a solve may start: where the robot is expected, what the engines have solved already, and, where
// that leads nowhere, each tag by itself. They are ranked by one evaluation each.
import { at } from './arrays.ts'
import type { NormalEquations } from './normal-equations.ts'
import { compose, invert, type Pose } from './pose.ts'
import { distanceOf, STATE_LENGTH, stateOfPose, turnBetween } from './pose-state.ts'
import type { Priors } from './priors.ts'
import type { RoundProblem } from './round.ts'
import { type Sightings, sideOf } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'
import { mirrorState, squarePose } from './square-pose.ts'

const MAX_STARTS = 64
const MAX_COLD_TAGS = 4

/** Two poses that are nearer than that are one. */
const SAME_M = 0.03
const SAME_RAD = 0.01

const turn = new Float64Array(3)

export const isSameState = (a: Float64Array, b: Float64Array): boolean => {
  if (distanceOf(a, b) > SAME_M) return false
  turnBetween(a, b, turn)
  return Math.hypot(at(turn, 0), at(turn, 1), at(turn, 2)) < SAME_RAD
}

export class Starts {
  count = 0
  private readonly states = Array.from({ length: MAX_STARTS }, () => new Float64Array(STATE_LENGTH))
  private readonly costs = new Float64Array(MAX_STARTS)
  private readonly bySize: number[] = []
  private readonly single = new Float64Array(STATE_LENGTH)
  private readonly middle: [number, number, number] = [0, 0, 0]

  /** What is known before anything is solved. */
  collect({ predicted, round, motions, measured }: RoundProblem, equations: NormalEquations, ...of: Given): void {
    this.count = 0
    equations.reserve(of[0].count)
    if (predicted) this.addPose(predicted, equations, of)
    for (const { pose } of measured ?? []) this.addPose(pose, equations, of)
    for (const [n, { starts }] of round.frames.entries()) {
      const motion = motions[n]
      if (!motion) continue
      for (const start of starts) this.addPose(compose(start, invert(motion)), equations, of)
    }
  }

  /** Both poses of each of the largest tags. */
  collectCold(equations: NormalEquations, ...of: Given): void {
    const [sightings, map] = of
    this.count = 0
    equations.reserve(sightings.count)
    this.bySize.length = 0
    for (let n = 0; n < sightings.count; n++) if (at(sightings.isUsed, n) === 1) this.bySize.push(n)
    this.bySize.sort((a, b) => sideOf(sightings.pixels, 8 * b) - sideOf(sightings.pixels, 8 * a))
    for (const n of this.bySize.slice(0, MAX_COLD_TAGS)) {
      if (!squarePose(n, sightings, map, this.single)) continue
      for (let k = 0; k < 3; k++) this.middle[k] = at(map.middles, 3 * at(sightings.mapTag, n) + k)
      this.last().set(this.single)
      this.rank(equations, of)
      if (mirrorState(this.single, n, this.middle, sightings, map, this.last())) this.rank(equations, of)
    }
  }

  /** The n-th best. */
  state(n: number): Float64Array {
    return this.states[n] as Float64Array<ArrayBuffer>
  }

  cost(n: number): number {
    return at(this.costs, n)
  }

  private addPose(pose: Pose, equations: NormalEquations, of: Given): void {
    if (stateOfPose(pose, this.last())) this.rank(equations, of)
  }

  /** The one behind those that are ranked. */
  private last(): Float64Array<ArrayBuffer> {
    return this.states[this.count] as Float64Array<ArrayBuffer>
  }

  /** Puts the one behind the last where it belongs; one from which a corner lies behind its camera is left out. */
  private rank(equations: NormalEquations, [sightings, map, priors]: Given): void {
    const state = this.last()
    const cost = equations.costOf(state, sightings, map, priors, true)
    if (!(cost < Number.POSITIVE_INFINITY)) return
    let n = this.count
    for (; n > 0 && at(this.costs, n - 1) > cost; n--) {
      this.costs[n] = at(this.costs, n - 1)
      this.states[n] = this.states[n - 1] as Float64Array<ArrayBuffer>
    }
    this.costs[n] = cost
    this.states[n] = state
    this.count = Math.min(this.count + 1, MAX_STARTS - 1)
  }
}

type Given = readonly [sightings: Sightings, map: SolveMap, priors: Priors]
