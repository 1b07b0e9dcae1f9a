// From a start to the pose that explains all corners best, by Levenberg and Marquardt.
import { at, factorise, solveLower, solveUpper } from './arrays.ts'
import { NormalEquations } from './normal-equations.ts'
import { moveState, STATE_LENGTH, straighten } from './pose-state.ts'
import type { Priors } from './priors.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

const MAX_STEPS = 25
const FIRST_DAMPING = 1e-4
const MAX_DAMPING = 1e8

/** Of a step, metres and radians: what comes after it is far below the noise. */
const ARRIVED = 1e-6

export class Descent {
  /** Where it is; the equations of that place, of which `cost` is infinite where there is none. */
  readonly state = new Float64Array(STATE_LENGTH)
  equations = new NormalEquations()

  private other = new NormalEquations()
  private readonly tried = new Float64Array(STATE_LENGTH)
  private readonly factor = new Float64Array(36)
  private readonly step = new Float64Array(6)

  /** Answers with the cost. It is infinite where a corner would lie behind its camera. */
  run(start: Float64Array, sightings: Sightings, map: SolveMap, priors: Priors, isRobust: boolean): number {
    this.state.set(start)
    this.equations.reserve(sightings.count)
    this.other.reserve(sightings.count)
    if (!this.equations.linearise(this.state, sightings, map, priors, isRobust)) return Number.POSITIVE_INFINITY
    let damping = FIRST_DAMPING
    for (let step = 0; step < MAX_STEPS && damping < MAX_DAMPING; step++) {
      if (!this.findStep(damping)) {
        damping *= 10
        continue
      }
      moveState(this.state, this.step, this.tried)
      const isBetter =
        this.other.linearise(this.tried, sightings, map, priors, isRobust) && this.other.cost <= this.equations.cost
      const length = Math.hypot(at(this.step, 0), at(this.step, 1), at(this.step, 2))
      const turn = Math.hypot(at(this.step, 3), at(this.step, 4), at(this.step, 5))
      if (isBetter) {
        this.state.set(this.tried)
        const previous = this.equations
        this.equations = this.other
        this.other = previous
        damping = Math.max(1e-9, damping / 10)
      } else damping *= 10
      if (length < ARRIVED && turn < ARRIVED) break
    }
    straighten(this.state)
    return this.equations.cost
  }

  private findStep(damping: number): boolean {
    const { normal, gradient } = this.equations
    this.factor.set(normal)
    for (let k = 0; k < 6; k++) {
      this.factor[7 * k] = at(normal, 7 * k) * (1 + damping)
      this.step[k] = -at(gradient, k)
    }
    if (!factorise(this.factor, 6)) return false
    solveLower(this.factor, 6, 6, this.step)
    solveUpper(this.factor, 6, 6, this.step)
    return true
  }
}
