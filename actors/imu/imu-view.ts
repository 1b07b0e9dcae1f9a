// What others can see of the IMU. It outlives whatever reads it.
import type { Fault } from '../../machines/errors/fault.ts'
import type { FoundImu, FoundImus } from '../../machines/imu/found.ts'
import { ImuHistory } from '../../machines/imu/history.ts'
import type { ImuBatch, ImuReading, RawImuBatch } from '../../machines/imu/reading.ts'
import type { ImuBias } from '../../machines/imu/settings.ts'
import type { ImuState } from '../../machines/imu/state.ts'
import type { ImuStatus } from '../../machines/imu/status.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import type { OpenedImu } from '../../native/imu/port.ts'

/** Written by the actor and its branch alone. */
export class ImuView {
  /** Of its machine. */
  state: ImuState = 'off'
  found: FoundImus = { imus: [], looked_for: [] }
  used: FoundImu | null = null
  opened: OpenedImu | null = null
  temperature_c: number | null = null
  /** Of the one that is read. */
  bias: ImuBias | null = null
  /** What is found beyond that, degrees in a second along the axes of the robot. */
  remainder: readonly [number, number, number] | null = null
  isAtRest = false
  fault: Fault | null = null
  readonly #history = new ImuHistory()
  readonly #readings: Listeners<ImuBatch>
  readonly #samples: Listeners<RawImuBatch>

  constructor(onBug: OnBug) {
    this.#readings = new Listeners(onBug)
    this.#samples = new Listeners(onBug)
  }

  readonly latest = (): ImuReading | undefined => this.#history.latest()

  readonly at = (us: number): ImuReading | undefined => this.#history.at(us)

  readonly listen = (heard: (readings: ImuBatch) => void): (() => void) => this.#readings.add(heard)

  /** The same for what the chip says itself. */
  readonly listenToChip = (heard: (samples: RawImuBatch) => void): (() => void) => this.#samples.add(heard)

  readonly status = (): ImuStatus => {
    const { code, detail } = this.fault ?? {}
    const rate = this.#history.rate()
    return {
      state: this.state,
      imu: this.used,
      found: [...this.found.imus],
      looked_for: [...this.found.looked_for],
      way: this.opened?.way ?? null,
      rate_hz: this.opened?.rate_hz ?? null,
      measured_hz: rate === null ? null : rounding(rate, 1),
      temperature_c: this.temperature_c,
      bias: this.bias,
      remainder_dps: this.remainder && rounded(this.remainder, 3),
      is_at_rest: this.isAtRest,
      reading: shown(this.latest()),
      fault: code && detail ? { code, detail } : null,
    }
  }

  /** A batch of the chip, and what was made of it. */
  add(samples: RawImuBatch, readings: ImuBatch): void {
    this.temperature_c = samples.temperature_c ?? this.temperature_c
    this.#samples.notify(samples)
    if (readings.count === 0) return
    this.#history.add(readings)
    this.#readings.notify(readings)
  }

  /** Nothing is known any more of where it points. */
  forget(): void {
    this.#history.clear()
    this.isAtRest = false
  }
}

const shown = (reading: ImuReading | undefined): ImuStatus['reading'] =>
  reading
    ? {
        at_us: Math.round(reading.at_us),
        quat: rounded(reading.quat, 6),
        roll_deg: rounding(reading.roll_deg, 3),
        pitch_deg: rounding(reading.pitch_deg, 3),
        yaw_deg: rounding(reading.yaw_deg, 3),
        gyro_dps: rounded(reading.gyro_dps, 3),
        accel_g: rounded(reading.accel_g, 4),
      }
    : null

/** What is beyond these digits is noise; programs in the house have all of them. */
const rounding = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

const rounded = (values: readonly number[], digits: number): number[] => values.map((value) => rounding(value, digits))
