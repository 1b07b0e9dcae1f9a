// IMUs of a made-up device. By hand they say what they are told to; by a motion they say what a chip of middling
// quality would: with noise, a bias and a temperature.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { FoundImu } from '../../machines/imu/found.ts'
import type { RawImuBatch } from '../../machines/imu/reading.ts'
import type { Clock } from '../clock/port.ts'
import type { ImuDevices, ImuSetup } from './port.ts'

/** What the robot does at one moment, along its axes: turns, rad/s; specific force, m/s². */
export interface Motion {
  readonly gyro_rad_s: readonly [number, number, number]
  readonly accel_m_s2: readonly [number, number, number]
}

/** By CLOCK_MONOTONIC, µs. */
export type MotionAt = (us: number) => Motion

/** The one that a made-up device has. */
export const FAKE_IMU: FoundImu = {
  id: 'fake:imu',
  name: 'made-up IMU',
  way: 'fake',
  devices: ['fake-imu'],
  rates_hz: [25, 50, 100, 200, 400, 800, 1_600],
  detail: null,
}

const LOOKED_FOR = ['This device is made up; its IMU is chosen with the troubles of the start.']

interface Reader {
  readonly setup: ImuSetup
  readonly heard: (batch: RawImuBatch) => void
  readonly ended: (fault: Fault) => void
}

/** They say what a test has them say. */
export class FakeImus implements ImuDevices {
  imus: readonly FoundImu[]
  /** Why none can be opened, while it is set. */
  fault: Fault | undefined
  /** Who reads now; undefined: nobody. */
  reader: Reader | undefined
  /** How often one was opened. */
  opened = 0

  constructor(imus: readonly FoundImu[] = [FAKE_IMU]) {
    this.imus = imus
  }

  readonly find = Effect.sync(() => ({ imus: this.imus, looked_for: LOOKED_FOR }))

  readonly open: ImuDevices['open'] = (setup, heard, ended) =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      const reader = { setup, heard, ended }
      return Effect.as(
        Effect.acquireRelease(
          Effect.sync(() => {
            this.opened += 1
            this.reader = reader
          }),
          () =>
            Effect.sync(() => {
              if (this.reader === reader) this.reader = undefined
            }),
        ),
        { way: 'fake', rate_hz: setup.rate_hz } as const,
      )
    })

  /** Has it say that. */
  say(batch: RawImuBatch): void {
    this.reader?.heard(batch)
  }

  /** Has it end, as when it is pulled out. */
  end(fault: Fault): void {
    this.reader?.ended(fault)
  }
}

/** How a made-up chip is off the truth. */
const BIAS_RAD_S = [0.004, -0.003, 0.002] as const // a quarter of a degree in a second, about
const GYRO_NOISE_RAD_S = 0.0015
const ACCEL_NOISE_M_S2 = 0.03
const TEMPERATURE_C = 38.5
const EVERY_MS = 10

/** The IMU of a device that moves so. */
export const movingImus = (clock: Pick<Clock, 'monotonicUs'>, motionAt: MotionAt): ImuDevices => {
  const imus = new FakeImus()
  return {
    find: imus.find,
    open: (setup, heard, ended) =>
      Effect.gen(function* () {
        const opened = yield* imus.open(setup, heard, ended)
        const noise = noiseOf(setup.rate_hz)
        const stepUs = 1e6 / setup.rate_hz
        let nextUs = clock.monotonicUs()
        const say = () => {
          const count = Math.min(setup.rate_hz, Math.floor((clock.monotonicUs() - nextUs) / stepUs) + 1)
          if (count <= 0) return
          heard(samplesOf(motionAt, noise, { fromUs: nextUs, stepUs, count }))
          nextUs += count * stepUs
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => setInterval(say, EVERY_MS)),
          (timer) => Effect.sync(() => clearInterval(timer)),
        )
        return opened
      }),
  }
}

const samplesOf = (
  motionAt: MotionAt,
  noise: () => number,
  { fromUs, stepUs, count }: { readonly fromUs: number; readonly stepUs: number; readonly count: number },
): RawImuBatch => {
  const batch = {
    count,
    at_us: new Float64Array(count),
    gyro_rad_s: new Float64Array(3 * count),
    accel_m_s2: new Float64Array(3 * count),
    temperature_c: TEMPERATURE_C,
  }
  for (let k = 0; k < count; k++) {
    const us = fromUs + k * stepUs
    const { gyro_rad_s, accel_m_s2 } = motionAt(us)
    batch.at_us[k] = us
    for (let axis = 0; axis < 3; axis++) {
      const at = axis as 0 | 1 | 2
      batch.gyro_rad_s[3 * k + axis] = gyro_rad_s[at] + BIAS_RAD_S[at] + GYRO_NOISE_RAD_S * noise()
      batch.accel_m_s2[3 * k + axis] = accel_m_s2[at] + ACCEL_NOISE_M_S2 * noise()
    }
  }
  return batch
}

/** Noise of standard deviation 1, the same in every run: a sum of evenly distributed numbers. */
const noiseOf = (seed: number): (() => number) => {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  return () => 2 * (next() + next() + next())
}

const G = 9.80665
const TURN_RAD_S = 0.15

/** Turns slowly to the left on level ground, and stands still every other half minute. */
export const turningSlowly: MotionAt = (us) => {
  const isTurning = Math.floor(us / 30e6) % 2 === 1
  return { gyro_rad_s: [0, 0, isTurning ? TURN_RAD_S : 0], accel_m_s2: [0, 0, G] }
}
