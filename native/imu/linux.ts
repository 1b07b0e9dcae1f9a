// The IMUs of a Linux system, by IIO: its buffers where they work, its files where they do not.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type ReadingParts, startBuffered } from './buffered.ts'
import { writer } from './iio-buffer.ts'
import { imuFailed, setRate } from './iio-channels.ts'
import { foundImus, imusOf, readIioDevices } from './iio-devices.ts'
import { MAX_POLLED_HZ, startPolled } from './polled.ts'
import type { ImuDevices, OpenedImu } from './port.ts'

/** What it takes; root: the folder below which /sys and /dev lie. */
export type LinuxImuParts = Omit<ReadingParts, 'root'> & Partial<Pick<ReadingParts, 'root'>>

/** An IMU that is read. */
interface Started {
  readonly opened: OpenedImu
  readonly stop: () => Promise<void>
}

export const linuxImus = ({ root = '/', ...rest }: LinuxImuParts): ImuDevices => {
  const parts = { root, ...rest }
  return {
    find: Effect.map(
      Effect.promise(() => readIioDevices(parts.files)),
      foundImus,
    ),
    open: ({ id, rate_hz }, heard, ended) => {
      const start = async (): Promise<Started | Fault> => {
        const imu = imusOf(await readIioDevices(parts.files)).find((each) => each.id === id)
        if (!imu) return imuFailed(`The IMU ${id} is not there any more.`)
        const rates = [await setRate(writer(parts), parts.files, imu.gyro, rate_hz)]
        if (imu.accel !== imu.gyro) await setRate(writer(parts), parts.files, imu.accel, rate_hz)
        const rate = rates[0] ?? null
        const told = { batch: heard, ended }
        const buffered = await startBuffered(parts, imu, rate ?? rate_hz, told)
        if (isFault(buffered)) return buffered
        if (buffered) return { opened: { way: 'buffer', rate_hz: rate ?? rate_hz }, stop: buffered }
        const polled = await startPolled(parts, imu, rate_hz, told)
        if (isFault(polled)) return polled
        return { opened: { way: 'polling', rate_hz: Math.min(rate_hz, MAX_POLLED_HZ) }, stop: polled }
      }
      return Effect.map(
        Effect.acquireRelease(
          Effect.flatMap(Effect.promise(start), (started) =>
            isFault(started) ? Effect.fail(started) : Effect.succeed(started),
          ),
          ({ stop }) => Effect.promise(stop),
        ),
        ({ opened }) => opened,
      )
    },
  }
}
