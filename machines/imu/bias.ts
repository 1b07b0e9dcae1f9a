// The bias of a gyroscope by what it says while it holds still, and whether it did.
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import type { RawImuBatch } from './reading.ts'

const DEGREES = 180 / Math.PI
const BLOCK_US = 250_000
/** Between the means of two blocks. A hand that holds it sways more, and the noise of a chip is far below. */
const MAX_SWAY_DPS = 0.5
/** m/s²; a tilt of two degrees. */
const MAX_SWAY_OF_FORCES = 0.35
/** Within a block: standard deviation. Motors that run shake more. */
const MAX_SHAKE_DPS = 5
/** No chip that works says more at rest; a turntable does. */
const MAX_BIAS_DPS = 25
/** m/s²; of what is no more than its weight. */
const FORCES = { min: 7.8, max: 11.8 }

/** What was measured. */
export interface MeasuredBias {
  /** X, y, z of the chip. */
  readonly gyro_dps: readonly [number, number, number]
  readonly temperature_c: number | null
}

const moved = (why: string): Fault => ({
  code: 'imu.moved',
  detail: `The bias was not measured, since ${why}. Put the robot down, switch its motors off and try again.`,
})

const tenth = (value: number): string => value.toFixed(1)

/** Takes samples together until there are enough. */
export class BiasMeasurement {
  readonly #durationUs: number
  #firstUs: number | undefined
  #lastUs = 0
  readonly #blocks: number[][] = []
  #sum = new Float64Array(6)
  #squares = new Float64Array(3)
  #count = 0
  #blockUs = 0
  #temperature: number | null = null

  constructor(durationS: number) {
    this.#durationUs = durationS * 1e6
  }

  /** How much of it is done, 0 to 1. */
  get share(): number {
    return this.#firstUs === undefined ? 0 : Math.min(1, (this.#lastUs - this.#firstUs) / this.#durationUs)
  }

  /** More samples; why it cannot be measured so. */
  feed({ count, at_us, gyro_rad_s, accel_m_s2, temperature_c }: RawImuBatch): Fault | undefined {
    this.#temperature = temperature_c ?? this.#temperature
    for (let k = 0; k < count; k++) {
      const us = at_us[k] as number
      this.#firstUs ??= us
      this.#lastUs = us
      if (this.#count === 0) this.#blockUs = us
      this.#count += 1
      for (let axis = 0; axis < 3; axis++) {
        const dps = DEGREES * (gyro_rad_s[3 * k + axis] as number)
        this.#sum[axis] = (this.#sum[axis] as number) + dps
        this.#squares[axis] = (this.#squares[axis] as number) + dps * dps
        this.#sum[3 + axis] = (this.#sum[3 + axis] as number) + (accel_m_s2[3 * k + axis] as number)
      }
      if (us - this.#blockUs < BLOCK_US) continue
      const flaw = this.#endBlock()
      if (flaw) return flaw
    }
    return undefined
  }

  /** The mean of all blocks. */
  result(): MeasuredBias {
    const mean = (axis: number) =>
      this.#blocks.reduce((sum, block) => sum + (block[axis] as number), 0) / this.#blocks.length
    return { gyro_dps: [mean(0), mean(1), mean(2)], temperature_c: this.#temperature }
  }

  #endBlock(): Fault | undefined {
    const means = Array.from(this.#sum, (sum) => sum / this.#count)
    const shake = Math.max(
      ...Array.from(this.#squares, (sum, axis) => Math.sqrt(Math.max(0, sum / this.#count - (means[axis] ?? 0) ** 2))),
    )
    this.#blocks.push(means)
    this.#sum = new Float64Array(6)
    this.#squares = new Float64Array(3)
    this.#count = 0
    return this.#flawOf(means, shake)
  }

  #flawOf(means: readonly number[], shake: number): Fault | undefined {
    const force = Math.hypot(means[3] ?? 0, means[4] ?? 0, means[5] ?? 0)
    const turns = Math.max(...means.slice(0, 3).map(Math.abs))
    if (turns > MAX_BIAS_DPS) return moved(`it turns by ${tenth(turns)} degrees in a second`)
    if (shake > MAX_SHAKE_DPS) return moved(`it shakes by ${tenth(shake)} degrees in a second`)
    const swayed = Math.max(...[0, 1, 2].map((axis) => this.#spreadOf(axis)))
    if (swayed > MAX_SWAY_DPS) return moved(`it moved: its turns changed by ${tenth(swayed)} degrees in a second`)
    const pushed = Math.max(...[3, 4, 5].map((axis) => this.#spreadOf(axis)))
    if (pushed > MAX_SWAY_OF_FORCES) return moved(`it moved: what pulls at it changed by ${tenth(pushed)} m/s²`)
    if (force < FORCES.min || force > FORCES.max)
      return moved(oneLine`
        what pulls at it at rest is ${tenth(force)} m/s² in place of 9.8, so that it falls, or its driver has a wrong
        scale
      `)
    return undefined
  }

  #spreadOf(axis: number): number {
    const values = this.#blocks.map((block) => block[axis] as number)
    return Math.max(...values) - Math.min(...values)
  }
}
