// A pose at its best by the full model, with how far it may be off.
import { at, ofLength } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import { FullModel } from './full-model.ts'
import { moveState, STATE_LENGTH, straighten } from './pose-state.ts'
import type { Priors } from './priors.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

/** How sharp corners are is known only about: that many residuals' worth of trust is put in what the engine says. */
export const TRUST = 10

const MAX_STEPS = 4
const ARRIVED = 1e-3 // metres and radians: what is left is that squared

export class Refinement {
  readonly state = new Float64Array(STATE_LENGTH)
  readonly covariance = new Float64Array(36)
  readonly pixelCovariance = new Float64Array(36)
  /** Squared deviations of corners, tags and cameras with the noise that the engine says; and of the priors. */
  misfit = 0
  priorCost = 0
  /** Of each tag, by the first of its sightings: what of the misfit is its own; NaN: it is not used. */
  tagMisfits = new Float64Array(0)
  private readonly model = new FullModel()
  private readonly moved = new Float64Array(STATE_LENGTH)

  /** False: the corners do not fix the pose. */
  run(
    from: Float64Array,
    sightings: Sightings,
    map: SolveMap,
    priors: Priors,
    errors: LocalizationConfig['errors'],
  ): boolean {
    const { model } = this
    this.state.set(from)
    const spare = 8 * usedOf(sightings) + priors.count - 6
    let noise = 1
    for (let step = 0; step < MAX_STEPS; step++) {
      if (!model.solve(this.state, sightings, map, priors, errors, noise)) return false
      moveState(this.state, model.step, this.moved)
      this.state.set(this.moved)
      if (step > 0 && longestOf(model.step) < ARRIVED) break
      if (step > 0) continue
      this.misfit = model.misfit
      this.tagMisfits = ofLength(this.tagMisfits, sightings.count)
      this.tagMisfits.set(model.tagMisfits.subarray(0, sightings.count))
      this.priorCost = priors.cost(this.state)
      noise = (TRUST + this.misfit + this.priorCost) / (TRUST + spare)
    }
    straighten(this.state)
    // what louder noise does not explain: everything is worse than is thought
    const rest = (TRUST + model.misfit + priors.cost(this.state)) / (TRUST + spare)
    model.pixelCovariance(sightings, this.pixelCovariance)
    for (let k = 0; k < 36; k++) this.covariance[k] = at(model.covariance, k) * Math.max(1, rest)
    return this.covariance.every(Number.isFinite) && this.pixelCovariance.every(Number.isFinite)
  }
}

const longestOf = (numbers: Float64Array): number => {
  let longest = 0
  for (let k = 0; k < numbers.length; k++) longest = Math.max(longest, Math.abs(at(numbers, k)))
  return longest
}

const usedOf = ({ count, isUsed }: Sightings): number => {
  let used = 0
  for (let n = 0; n < count; n++) used += at(isUsed, n)
  return used
}
