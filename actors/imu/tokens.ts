// What others know of the IMU: where the robot points now and a moment ago.
import type { ImuBatch, ImuReading } from '../../machines/imu/reading.ts'
import type { ImuStatus } from '../../machines/imu/status.ts'
import { token } from '../../machines/token.ts'
import type { Work } from '../jobs/jobs.ts'
import type { ImuView } from './imu-view.ts'

/** The IMU as others see it. Present in every service, whether there is a chip or not. */
export interface Imu {
  /** Undefined while it is not `running`. */
  readonly latest: () => ImuReading | undefined
  /**
   * At this moment, CLOCK_MONOTONIC, µs: between the two readings around it. Undefined where it is newer than the
   * newest one, older than 2 s before that, or within a gap of more than 0.1 s.
   */
  readonly at: (us: number) => ImuReading | undefined
  /** Calls back with each batch, as it comes; returns the way to stop that. */
  readonly listen: (heard: (readings: ImuBatch) => void) => () => void
  readonly status: () => ImuStatus
}

export const IMU = token<Imu>('imu')

/** The same as its actor writes it. */
export const IMU_VIEW = token<ImuView>('imu-view')

/** Makes the work of a job that measures the bias of the gyroscope for so many seconds. */
export const BIAS_WORK = token<(durationS: number) => Work>('bias-work')
