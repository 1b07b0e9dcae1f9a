// From what a chip says to where the robot points: mount, bias, filter, and the angles that people read.
import type { Matrix } from './mount.ts'
import { OrientationFilter } from './orientation-filter.ts'
import type { ImuBatch, RawImuBatch } from './reading.ts'
import { writeAngles } from './rotation.ts'

const DEGREES = 180 / Math.PI
const G = 9.80665
const NO_BIAS = [0, 0, 0] as const

/** What it goes by. */
export interface FusionSetup {
  /** From the chip to the robot. */
  readonly mount: Matrix
  /** Of the chip, rad/s; null: it was not measured. */
  readonly bias: readonly [number, number, number] | null
}

export class Fusion {
  readonly #filter: OrientationFilter
  readonly #setup: FusionSetup
  #turns = 0
  #yawBefore = 0

  constructor(setup: FusionSetup) {
    this.#setup = setup
    this.#filter = new OrientationFilter(setup.bias !== null)
  }

  /** What is said of its turns beyond the bias that was measured, degrees in a second along the robot's axes. */
  get remainder(): readonly [number, number, number] {
    const [x = 0, y = 0, z = 0] = this.#filter.bias
    return [DEGREES * x, DEGREES * y, DEGREES * z]
  }

  get isAtRest(): boolean {
    return this.#filter.isAtRest
  }

  /** The readings of a batch, without those that came before it was known where up is. */
  feed({ count, at_us, gyro_rad_s, accel_m_s2 }: RawImuBatch): ImuBatch {
    const { mount } = this.#setup
    const bias = this.#setup.bias ?? NO_BIAS
    const filter = this.#filter
    const out = columnsOf(count)
    let n = 0
    for (let k = 0; k < count; k++) {
      const x = (gyro_rad_s[3 * k] as number) - bias[0]
      const y = (gyro_rad_s[3 * k + 1] as number) - bias[1]
      const z = (gyro_rad_s[3 * k + 2] as number) - bias[2]
      const fx = accel_m_s2[3 * k] as number
      const fy = accel_m_s2[3 * k + 1] as number
      const fz = accel_m_s2[3 * k + 2] as number
      const gx = mount[0] * x + mount[1] * y + mount[2] * z
      const gy = mount[3] * x + mount[4] * y + mount[5] * z
      const gz = mount[6] * x + mount[7] * y + mount[8] * z
      const ax = mount[0] * fx + mount[1] * fy + mount[2] * fz
      const ay = mount[3] * fx + mount[4] * fy + mount[5] * fz
      const az = mount[6] * fx + mount[7] * fy + mount[8] * fz
      if (!Number.isFinite(gx + gy + gz + ax + ay + az)) continue
      filter.feed(at_us[k] as number, gx, gy, gz, ax, ay, az)
      if (!filter.isSettled) continue
      out.at_us[n] = at_us[k] as number
      out.quat.set(filter.quat, 4 * n)
      writeAngles(filter.quat, out.angles_deg, 3 * n)
      out.angles_deg[3 * n + 2] = this.#unwrapped(out.angles_deg[3 * n + 2] as number)
      const remainder = filter.bias
      out.gyro_dps[3 * n] = DEGREES * (gx - (remainder[0] as number))
      out.gyro_dps[3 * n + 1] = DEGREES * (gy - (remainder[1] as number))
      out.gyro_dps[3 * n + 2] = DEGREES * (gz - (remainder[2] as number))
      out.accel_g[3 * n] = ax / G
      out.accel_g[3 * n + 1] = ay / G
      out.accel_g[3 * n + 2] = az / G
      n += 1
    }
    return { count: n, ...out }
  }

  /** Turns are counted, so that it goes on where others jump. */
  #unwrapped(yaw: number): number {
    if (yaw - this.#yawBefore > 180) this.#turns -= 1
    if (yaw - this.#yawBefore < -180) this.#turns += 1
    this.#yawBefore = yaw
    return yaw + 360 * this.#turns
  }
}

/** Numbers of one reading, in all columns. */
const WIDTH = 14

/** Columns for so many readings, in one piece of memory: five would cost more than what is computed. */
const columnsOf = (count: number): Omit<ImuBatch, 'count'> => {
  const all = new Float64Array(WIDTH * count)
  return {
    at_us: all.subarray(0, count),
    quat: all.subarray(count, 5 * count),
    angles_deg: all.subarray(5 * count, 8 * count),
    gyro_dps: all.subarray(8 * count, 11 * count),
    accel_g: all.subarray(11 * count),
  }
}
