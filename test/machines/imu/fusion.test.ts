// Where a robot points by its IMU, held against the truth of a drive that is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fusion } from '../../../machines/imu/fusion.ts'
import { type MountName, mountMatrix, namedMount } from '../../../machines/imu/mount.ts'
import type { ImuBatch, RawImuBatch } from '../../../machines/imu/reading.ts'
import { type Drive, driveOf } from '../../support/imu/drive.ts'
import { shortOrLong } from '../../support/long.ts'

const RAD = Math.PI / 180
const FLAT: MountName = 'x_forward_z_up'
const BIAS = [0.5, -0.7, 0.4] as const
const REAL = { gyroNoiseDps: 0.1, accelNoise: 0.05, shakeDps: 3, shake: 2, biasDps: BIAS } as const

const fusionOf = (mount: MountName = FLAT, bias: readonly [number, number, number] | null = null) =>
  new Fusion({ mount: mountMatrix(namedMount(mount)), bias: bias && [RAD * bias[0], RAD * bias[1], RAD * bias[2]] })

const wrapped = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180

/** How far readings are off the truth: rms of roll and pitch, and yaw at the end, degrees. */
const errorsOf = (drive: Drive, fusion: Fusion, samples?: RawImuBatch) => {
  const { samples: made, truth } = driveOf(drive)
  const readings = fusion.feed(samples ?? made)
  const skipped = made.count - readings.count
  let [roll, pitch, yaw, yawAtFirst] = [0, 0, 0, 0]
  for (let n = 0; n < readings.count; n++) {
    const at = n + skipped
    roll += wrapped((readings.angles_deg[3 * n] as number) - (truth.roll_deg[at] as number)) ** 2
    pitch += wrapped((readings.angles_deg[3 * n + 1] as number) - (truth.pitch_deg[at] as number)) ** 2
    yaw = (readings.angles_deg[3 * n + 2] as number) - (truth.yaw_deg[at] as number)
    if (n === 0) yawAtFirst = yaw
  }
  return {
    roll: Math.sqrt(roll / readings.count),
    pitch: Math.sqrt(pitch / readings.count),
    yaw: yaw - yawAtFirst,
    skipped,
    readings,
  }
}

const DURATION_S = 150

for (const [name, drive] of [
  ['that stands for three seconds and drives off', { standS: 3 }],
  ['that drives off as it is switched on', { standS: 0 }],
  ['whose samples are early and late', { standS: 3, jitterMs: 0.5 }],
] as const)
  for (const rateHz of shortOrLong([200], [100, 200, 1_000, 4_000]))
    test(`of a robot ${name}, at ${rateHz} Hz, roll and pitch are within 1 degree rms over 150 s`, () => {
      const { roll, pitch, yaw } = errorsOf({ rateHz, durationS: DURATION_S, ...REAL, ...drive }, fusionOf())

      assert.ok(roll < 1 && pitch < 1, `roll ${roll}, pitch ${pitch}`)
      // what the bias says about the vertical, and a tenth beyond for what it says about the level on slopes
      assert.ok(Math.abs(yaw) < 1.1 * 0.4 * DURATION_S, `yaw ${yaw}`)
    })

test('with a bias that was measured, yaw drifts by no more than its remainder', () => {
  const remainder = 0.02
  const measured = [BIAS[0] - remainder, BIAS[1] + remainder, BIAS[2] - remainder] as const

  const { roll, pitch, yaw } = errorsOf(
    { rateHz: 200, durationS: DURATION_S, ...REAL, standS: 0 },
    fusionOf(FLAT, measured),
  )

  assert.ok(roll < 1 && pitch < 1, `roll ${roll}, pitch ${pitch}`)
  assert.ok(Math.abs(yaw) < remainder * DURATION_S, `yaw ${yaw}`)
})

test('of a perfect chip yaw is that of the truth after 150 s of turning', () => {
  const { yaw } = errorsOf({ rateHz: 1_000, durationS: DURATION_S, standS: 0 }, fusionOf())

  assert.ok(Math.abs(yaw) < 0.5, `yaw ${yaw}`)
})

test('a robot that rests teaches the bias, and its yaw stays', () => {
  const fusion = fusionOf()

  const { yaw } = errorsOf({ rateHz: 200, durationS: 30, standS: 30, ...REAL, shakeDps: 0, shake: 0 }, fusion)

  assert.ok(fusion.isAtRest)
  for (const axis of [0, 1, 2] as const)
    assert.ok(Math.abs(fusion.remainder[axis] - BIAS[axis]) < 0.02, `${fusion.remainder}`)
  assert.ok(Math.abs(yaw) < 1, `yaw ${yaw}`)
})

/** Samples of a chip that turns and leans in a way that is said, for a second. */
const still = (accel: readonly number[], turns: readonly number[] = [0, 0, 0], fromUs = 1e6, count = 200) => ({
  count,
  at_us: Float64Array.from({ length: count }, (_, n) => fromUs + 5_000 * n),
  gyro_rad_s: Float64Array.from({ length: 3 * count }, (_, n) => RAD * (turns[n % 3] as number)),
  accel_m_s2: Float64Array.from({ length: 3 * count }, (_, n) => accel[n % 3] as number),
  temperature_c: null,
})

const last = ({ angles_deg, count }: ImuBatch) =>
  [...angles_deg.slice(3 * count - 3, 3 * count)].map((value) => Math.round(10 * value) / 10 + 0)

const G = 9.80665

test('signs: the left side up is a positive roll, the front up a negative pitch, to the left a positive yaw', () => {
  const lean = 10 * RAD

  assert.deepEqual(last(fusionOf().feed(still([0, G * Math.sin(lean), G * Math.cos(lean)]))), [10, 0, 0])
  assert.deepEqual(last(fusionOf().feed(still([G * Math.sin(lean), 0, G * Math.cos(lean)]))), [0, -10, 0])
  const turned = last(fusionOf().feed(still([0, 0, G], [0, 0, 90])))
  assert.ok((turned[2] ?? 0) > 40 && (turned[2] ?? 0) < 50, `${turned}`)
})

test('yaw goes on over full turns, and one hundred of them are 36000 degrees', () => {
  const fusion = fusionOf()
  const readings = fusion.feed(still([0, 0, G], [0, 0, 720], 1e6, 10_200))

  const [, , yaw = 0] = last(readings)
  assert.ok(Math.abs(yaw - 36_000) < 400, `yaw ${yaw}`)
  for (let n = 1; n < readings.count; n++)
    assert.ok((readings.angles_deg[3 * n + 2] as number) > (readings.angles_deg[3 * n - 1] as number))
})

test('a board that sits upside down with its x to the left says what one that lies flat says', () => {
  const drive = { rateHz: 200, durationS: 20, ...REAL, standS: 3 }
  const { samples } = driveOf(drive)
  const mount: MountName = 'x_left_z_down'
  const m = mountMatrix(namedMount(mount))
  const turned = (values: Float64Array) => {
    const out = new Float64Array(values.length)
    for (let n = 0; n < values.length; n += 3)
      for (let axis = 0; axis < 3; axis++)
        out[n + axis] = [0, 1, 2].reduce(
          (sum, of) => sum + (m[(3 * of + axis) as 0] as number) * (values[n + of] as number),
          0,
        )
    return out
  }
  const chip = { ...samples, gyro_rad_s: turned(samples.gyro_rad_s), accel_m_s2: turned(samples.accel_m_s2) }

  const flat = errorsOf(drive, fusionOf())
  const other = errorsOf(drive, fusionOf(mount), chip)

  for (let n = 0; n < flat.readings.angles_deg.length; n += 101)
    assert.ok(
      Math.abs((flat.readings.angles_deg[n] as number) - (other.readings.angles_deg[n] as number)) < 1e-6,
      `reading ${n}`,
    )
})

test('nothing is said until up is known, and after a gap it is found again; rubbish is left out', () => {
  const fusion = fusionOf()
  const first = fusion.feed(still([0, 0, G]))
  assert.ok(first.count > 90 && first.count < 105, `${first.count}`)

  const gap = fusion.feed(still([0, 0, G], [0, 0, 0], 3e6, 50))
  assert.equal(gap.count, 0)
  const rubbish = still([Number.NaN, 0, G], [0, 0, 0], 3.25e6, 50)
  assert.equal(fusion.feed(rubbish).count, 0)
  assert.equal(fusion.feed(still([0, 0, G], [0, 0, 0], 3e6, 10)).count, 0)
})
