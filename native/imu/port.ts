// The IMUs of this device: what measures turns and forces.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { FoundImus } from '../../machines/imu/found.ts'
import type { RawImuBatch } from '../../machines/imu/reading.ts'
import { token } from '../../machines/token.ts'

/** What is to be read, and how. */
export interface ImuSetup {
  /** As it was found. */
  readonly id: string
  /** Samples in a second that are asked for; the nearest that the chip has is taken. */
  readonly rate_hz: number
}

/** How an IMU is read since it was opened. */
export interface OpenedImu {
  /** `buffer`: the kernel stamps and hands over each sample. `polling`: its files are read again and again. */
  readonly way: 'buffer' | 'polling' | 'fake'
  /** As the chip was set, or as it is polled; null: it does not say. */
  readonly rate_hz: number | null
}

export interface ImuDevices {
  /** What there is now, the best first. It never fails: what cannot be read is left out, or says why. */
  readonly find: Effect.Effect<FoundImus>
  /**
   * Reads one for as long as the scope is open. heard: each batch, from the event loop. ended: at most once, when
   * nothing will come any more. Fails with `imu.failed`.
   */
  readonly open: (
    setup: ImuSetup,
    heard: (batch: RawImuBatch) => void,
    ended: (fault: Fault) => void,
  ) => Effect.Effect<OpenedImu, Fault, Scope.Scope>
}

/** The IMUs of this device. */
export const IMU_DEVICES = token<ImuDevices>('imu-devices')
