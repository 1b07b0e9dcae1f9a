// Measuring the bias of the gyroscope, as work for jobs: the robot holds still, and what the chip says then is stored.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { BiasMeasurement } from '../../machines/imu/bias.ts'
import { IMU_DOCUMENT, imuCollection } from '../../machines/imu/settings-collection.ts'
import { changeOrder } from '../../machines/settings/commit.ts'
import type { Directory } from '../directory.ts'
import type { Work } from '../jobs/jobs.ts'
import { settingsWriter } from '../settings/write-settings.ts'
import { untilHeard } from '../until-heard.ts'
import type { ImuView } from './imu-view.ts'

/** What it takes. */
export interface BiasParts {
  readonly view: ImuView
  readonly directory: Pick<Directory, 'actor' | 'clock'>
}

/** Beyond what it is to take, for a chip that says little. */
const MAX_WAIT_MS = 5_000
const REPORT_EVERY = 0.05

/** The work of a job. Its result is `{ bias }`, as it is stored. */
export const biasWork =
  ({ view, directory }: BiasParts, durationS: number): Work =>
  (report) =>
    Effect.gen(function* () {
      const imu = view.used
      if (!imu) return yield* Effect.fail(NOT_READ)
      report({ percent: 0, stage: 'measuring', message: 'hold the robot still' })
      const measurement = new BiasMeasurement(durationS)
      const measured = untilHeard<void, Fault>((done) => {
        let told = 0
        return view.listenToChip((samples) => {
          const flaw = measurement.feed(samples)
          if (flaw) done(Effect.fail(flaw))
          else if (measurement.share >= 1) done(Effect.void)
          if (measurement.share - told < REPORT_EVERY) return
          told = measurement.share
          report({ percent: 100 * told, message: 'hold the robot still' })
        })
      })
      const tooLong = Effect.andThen(Effect.sleep(durationS * 1_000 + MAX_WAIT_MS), Effect.fail(NOT_READ))
      yield* Effect.raceFirst(measured, tooLong)
      const { gyro_dps, temperature_c } = measurement.result()
      const measured_at_ms = directory.clock.nowMs()
      const bias = { imu: imu.id, gyro_dps: [...gyro_dps], temperature_c, measured_at_ms }
      // whole: in a patch the null of a chip that tells no temperature would take that field away
      const change = changeOrder(imuCollection, IMU_DOCUMENT, (before) => ({ ...before, bias }))
      yield* settingsWriter(directory)(change)
      return { bias }
    })

const NOT_READ: Fault = {
  code: 'imu.not_running',
  detail: 'The bias was not measured, since no IMU is being read. GET /v1/device/imu says why.',
}
