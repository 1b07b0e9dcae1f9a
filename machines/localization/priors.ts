// What is known of the robot's pose beside tags: it stands about level on the floor, it says which way it looks, others
// have measured where it is.
import { add, at } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import { wrapAngle } from './planar.ts'
import { STATE_LENGTH, stateOfPose, turnBetween } from './pose-state.ts'
import type { Heading, MeasuredPose, RoundProblem } from './round.ts'

const RAD = Math.PI / 180

/** Where one looks straight up, a heading says nothing. */
const MIN_LEVEL = 1e-3

export class Priors {
  private zWeight = 1
  private tiltWeight = 1
  private heading: Heading | undefined
  private measured: readonly MeasuredPose[] = []
  private readonly state = new Float64Array(STATE_LENGTH)
  private readonly turn = new Float64Array(3)
  private readonly slope = new Float64Array(6)

  /** Without a heading. */
  set({ measured }: Pick<RoundProblem, 'measured'>, { priors }: LocalizationConfig): void {
    this.zWeight = 1 / priors.z_std_m ** 2
    this.tiltWeight = 1 / (priors.tilt_std_deg * RAD) ** 2
    this.heading = undefined
    this.measured = measured ?? []
  }

  /** undefined: it says nothing. */
  setHeading(heading: Heading | undefined): void {
    this.heading = heading
  }

  /** How many numbers they say. */
  get count(): number {
    return 3 + (this.heading ? 1 : 0) + 6 * this.measured.length
  }

  /** Squared deviations by their variances. */
  cost(state: Float64Array): number {
    return this.weigh(state, undefined, undefined)
  }

  /** Adds to the normal matrix (6 x 6, its lower triangle) and the gradient; answers with the cost. */
  weigh(state: Float64Array, normal: Float64Array | undefined, gradient: Float64Array | undefined): number {
    let cost = this.weighStance(state, normal, gradient)
    if (this.heading) cost += this.look(state, this.heading, normal, gradient)
    for (const measured of this.measured) cost += this.measurement(state, measured, normal, gradient)
    return cost
  }

  /** The same, of how it stands on the floor alone. */
  weighStance(state: Float64Array, normal: Float64Array | undefined, gradient: Float64Array | undefined): number {
    const { slope } = this
    slope.fill(0)
    slope[2] = 1
    const cost = this.term(at(state, 2), this.zWeight, normal, gradient)
    slope[2] = 0
    return cost + this.tilt(state, normal, gradient)
  }

  /** The robot's own z axis on the field, and how that turns. */
  private tilt(state: Float64Array, normal?: Float64Array, gradient?: Float64Array): number {
    const x = at(state, 5)
    const y = at(state, 8)
    const z = at(state, 11)
    const sine = Math.sqrt(x * x + y * y)
    // upside down is no second optimum
    const scale = sine > 1e-6 ? Math.min(Math.atan2(sine, z) / sine, 1000) : 1
    const { slope } = this
    slope[4] = z * scale
    slope[5] = -y * scale
    let cost = this.term(x * scale, this.tiltWeight, normal, gradient)
    slope[4] = 0
    slope[3] = -z * scale
    slope[5] = x * scale
    cost += this.term(y * scale, this.tiltWeight, normal, gradient)
    slope[3] = slope[5] = 0
    return cost
  }

  private look(state: Float64Array, { yaw, std }: Heading, normal?: Float64Array, gradient?: Float64Array): number {
    const x = at(state, 3)
    const y = at(state, 6)
    const z = at(state, 9)
    const level = x * x + y * y
    if (level < MIN_LEVEL) return 0
    const { slope } = this
    slope[3] = (-x * z) / level
    slope[4] = (-y * z) / level
    slope[5] = 1
    const cost = this.term(wrapAngle(Math.atan2(y, x) - yaw), 1 / (std * std), normal, gradient)
    slope[3] = slope[4] = slope[5] = 0
    return cost
  }

  private measurement(
    state: Float64Array,
    { pose, std }: MeasuredPose,
    normal?: Float64Array,
    gradient?: Float64Array,
  ): number {
    if (!stateOfPose(pose, this.state) || !std.every((each) => each > 0)) return 0
    turnBetween(this.state, state, this.turn)
    let cost = 0
    for (let k = 0; k < 6; k++) {
      this.slope[k] = 1
      const off = k < 3 ? at(state, k) - at(this.state, k) : at(this.turn, k - 3)
      cost += this.term(off, 1 / (std[k] as number) ** 2, normal, gradient)
      this.slope[k] = 0
    }
    return cost
  }

  private term(off: number, weight: number, normal?: Float64Array, gradient?: Float64Array): number {
    if (normal && gradient)
      for (let row = 0; row < 6; row++) {
        const weighted = at(this.slope, row) * weight
        if (weighted === 0) continue
        add(gradient, row, weighted * off)
        for (let column = 0; column <= row; column++) add(normal, 6 * row + column, weighted * at(this.slope, column))
      }
    return weight * off * off
  }
}
