// Readings of an IMU as they come, made of any motion.
import type { ImuBatch, ImuReading } from '../../../machines/imu/reading.ts'
import { Listeners } from '../../../machines/listeners.ts'

/** Readings from a time on, so far apart. */
export interface Stretch {
  readonly fromUs: number
  readonly stepUs: number
  readonly count: number
}

/** The columns of readings. */
export const batchOf = (
  { fromUs, stepUs, count }: Stretch,
  at: (us: number) => Omit<ImuReading, 'at_us'>,
): ImuBatch => {
  const readings = Array.from({ length: count }, (_, n) => ({ ...at(fromUs + n * stepUs), at_us: fromUs + n * stepUs }))
  const column = (of: (reading: ImuReading) => readonly number[]) => Float64Array.from(readings.flatMap(of))
  return {
    count,
    at_us: column(({ at_us }) => [at_us]),
    quat: column(({ quat }) => quat),
    angles_deg: column(({ roll_deg, pitch_deg, yaw_deg }) => [roll_deg, pitch_deg, yaw_deg]),
    gyro_dps: column(({ gyro_dps }) => gyro_dps),
    accel_g: column(({ accel_g }) => accel_g),
  }
}

/** A robot that turns evenly, and feels what is told. */
export const turning =
  (rate_dps: number) =>
  (us: number): Omit<ImuReading, 'at_us'> => {
    const yaw_deg = (rate_dps * us) / 1e6
    const half = (yaw_deg * Math.PI) / 360
    return {
      quat: [Math.cos(half), 0, 0, Math.sin(half)],
      roll_deg: 0,
      pitch_deg: 0,
      yaw_deg,
      gyro_dps: [0, 0, rate_dps],
      accel_g: [0, 0, 1],
    }
  }

/** An IMU by hand: what it is told to say is heard by who listens. */
export const imuByHand = () => {
  const heard = new Listeners<ImuBatch>()
  let listeners = 0
  return {
    listen: (listener: (batch: ImuBatch) => void) => {
      listeners += 1
      const stop = heard.add(listener)
      return () => {
        listeners -= 1
        stop()
      }
    },
    say: (batch: ImuBatch) => heard.notify(batch),
    listeners: () => listeners,
  }
}
