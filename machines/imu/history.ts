// What an IMU said within the last two seconds.
import type { ImuBatch, ImuReading } from './reading.ts'
import { betweenReadings } from './rotation.ts'

const KEPT_US = 2_000_000
/** Between readings that lie further apart nothing is known. */
const MAX_GAP_US = 100_000

/** One reading of a batch. */
export const readingOf = ({ at_us, quat, angles_deg, gyro_dps, accel_g }: ImuBatch, at: number): ImuReading => {
  const of = (column: Float64Array, place: number): number => column[place] as number
  const axes = (column: Float64Array) => [of(column, 3 * at), of(column, 3 * at + 1), of(column, 3 * at + 2)] as const
  const [roll_deg, pitch_deg, yaw_deg] = axes(angles_deg)
  return {
    at_us: of(at_us, at),
    quat: [of(quat, 4 * at), of(quat, 4 * at + 1), of(quat, 4 * at + 2), of(quat, 4 * at + 3)],
    roll_deg,
    pitch_deg,
    yaw_deg,
    gyro_dps: axes(gyro_dps),
    accel_g: axes(accel_g),
  }
}

const firstOf = ({ at_us }: ImuBatch): number => at_us[0] as number
const lastOf = ({ at_us, count }: ImuBatch): number => at_us[count - 1] as number

/** The first place of which something holds, where it holds of all after it; length: of none. */
const firstPlace = (length: number, holds: (place: number) => boolean): number => {
  let [from, to] = [0, length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}

export class ImuHistory {
  #batches: ImuBatch[] = []

  /** Newer ones than all before. */
  add(batch: ImuBatch): void {
    if (batch.count === 0) return
    const oldest = lastOf(batch) - KEPT_US
    let old = 0
    while (old < this.#batches.length && lastOf(this.#batches[old] as ImuBatch) < oldest) old++
    if (old > 0) this.#batches.splice(0, old)
    this.#batches.push(batch)
  }

  clear(): void {
    this.#batches = []
  }

  latest(): ImuReading | undefined {
    const batch = this.#batches.at(-1)
    return batch && readingOf(batch, batch.count - 1)
  }

  /** At this moment, µs: between the two readings around it; undefined: that is not known. */
  at(us: number): ImuReading | undefined {
    const place = firstPlace(this.#batches.length, (at) => lastOf(this.#batches[at] as ImuBatch) >= us)
    const batch = this.#batches[place]
    if (!batch) return undefined
    const within = firstPlace(batch.count, (at) => (batch.at_us[at] as number) >= us)
    const after = readingOf(batch, within)
    if (after.at_us === us) return after
    const previous = this.#batches[place - 1]
    const before = within > 0 ? readingOf(batch, within - 1) : previous && readingOf(previous, previous.count - 1)
    if (!before || after.at_us - before.at_us > MAX_GAP_US) return undefined
    return betweenReadings(before, after, (us - before.at_us) / (after.at_us - before.at_us))
  }

  /** Readings in a second within the last second; null: there is nothing to count. */
  rate(): number | null {
    const newest = this.#batches.at(-1)
    if (!newest) return null
    const since = lastOf(newest) - 1_000_000
    const recent = this.#batches.filter((batch) => firstOf(batch) >= since)
    const count = recent.reduce((sum, each) => sum + each.count, 0)
    const first = recent[0]
    const spanUs = first ? lastOf(newest) - firstOf(first) : 0
    return count > 1 && spanUs > 0 ? ((count - 1) * 1_000_000) / spanUs : null
  }
}
