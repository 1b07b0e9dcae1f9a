// Turns and forces that come from two devices of their own, joined by time: for each turn the force at its moment,
// between the two that lie around it.
import type { RawImuBatch } from './reading.ts'

/** Samples of one device, oldest first; three numbers of each. */
export interface HalfBatch {
  readonly at_us: Float64Array
  readonly values: Float64Array
}

/** Turns that wait longer for a force, or forces that lie further apart, are left out. */
const MAX_APART_US = 200_000
const MAX_WAITING = 8_192

export class Join {
  #gyroUs: number[] = []
  #gyro: number[] = []
  #accelUs: number[] = []
  #accel: number[] = []
  temperature_c: number | null = null

  addGyro({ at_us, values }: HalfBatch): RawImuBatch {
    this.#gyroUs.push(...at_us)
    this.#gyro.push(...values)
    return this.#take()
  }

  addAccel({ at_us, values }: HalfBatch): RawImuBatch {
    this.#accelUs.push(...at_us)
    this.#accel.push(...values)
    return this.#take()
  }

  /** All turns for which the force is known. */
  #take(): RawImuBatch {
    const [us, gyro, accel]: [number[], number[], number[]] = [[], [], []]
    let [turns, forces] = [0, 0]
    for (; turns < this.#gyroUs.length; turns++) {
      const at = this.#gyroUs[turns] as number
      while (forces + 1 < this.#accelUs.length && (this.#accelUs[forces + 1] as number) < at) forces++
      const [before, after] = [this.#accelUs[forces], this.#accelUs[forces + 1]]
      if (before === undefined) break
      if (before > at) continue // older than all forces: it has none
      if (after === undefined) break
      if (after - before > MAX_APART_US) continue
      const share = (at - before) / (after - before)
      us.push(at)
      for (let axis = 0; axis < 3; axis++) {
        const [from, to] = [this.#accel[3 * forces + axis] as number, this.#accel[3 * forces + 3 + axis] as number]
        gyro.push(this.#gyro[3 * turns + axis] as number)
        accel.push(from + share * (to - from))
      }
    }
    turns = Math.max(turns, this.#gyroUs.length - MAX_WAITING)
    forces = Math.max(forces, this.#accelUs.length - MAX_WAITING)
    this.#gyroUs.splice(0, turns)
    this.#gyro.splice(0, 3 * turns)
    this.#accelUs.splice(0, forces)
    this.#accel.splice(0, 3 * forces)
    return {
      count: us.length,
      at_us: Float64Array.from(us),
      gyro_rad_s: Float64Array.from(gyro),
      accel_m_s2: Float64Array.from(accel),
      temperature_c: this.temperature_c,
    }
  }
}
