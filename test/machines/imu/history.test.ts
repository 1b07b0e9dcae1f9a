// What an IMU said a moment ago.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImuHistory } from '../../../machines/imu/history.ts'
import type { ImuBatch } from '../../../machines/imu/reading.ts'

const RAD = Math.PI / 180

/** Readings of a robot that turns by 100 degrees in a second, so many ms after one another. */
const turning = (fromMs: number, count: number, stepMs = 5): ImuBatch => {
  const ms = Array.from({ length: count }, (_, n) => fromMs + stepMs * n)
  const yaw = (at: number) => 0.1 * at
  return {
    count,
    at_us: Float64Array.from(ms, (at) => 1000 * at),
    quat: Float64Array.from(ms.flatMap((at) => [Math.cos((RAD * yaw(at)) / 2), 0, 0, Math.sin((RAD * yaw(at)) / 2)])),
    angles_deg: Float64Array.from(ms.flatMap((at) => [0, 0, yaw(at)])),
    gyro_dps: Float64Array.from(ms.flatMap(() => [0, 0, 100])),
    accel_g: Float64Array.from(ms.flatMap(() => [0, 0, 1])),
  }
}

test('at a moment between two readings it is between them, within a batch and across two', () => {
  const history = new ImuHistory()
  history.add(turning(10_000, 4))
  history.add(turning(10_020, 4))

  for (const ms of [10_000, 10_001.7, 10_012.5, 10_017, 10_035]) {
    const reading = history.at(1000 * ms)
    assert.ok(reading)
    assert.equal(reading.at_us, 1000 * ms)
    assert.ok(Math.abs(reading.yaw_deg - ms / 10) < 1e-9)
    assert.ok(Math.abs(2 * Math.atan2(reading.quat[3], reading.quat[0]) - RAD * ((ms / 10) % 360)) % 6.283 < 1e-4)
    assert.deepEqual(reading.gyro_dps, [0, 0, 100])
  }
  assert.equal(history.latest()?.at_us, 10_035_000)
})

test('what is newer, older than two seconds, or lies in a gap is not known', () => {
  const history = new ImuHistory()
  for (let ms = 0; ms < 4_000; ms += 20) history.add(turning(ms, 4))
  history.add(turning(4_200, 4))

  assert.equal(history.at(4_216_000), undefined)
  assert.equal(history.at(4_100_000), undefined)
  assert.equal(history.at(2_100_000), undefined)
  assert.ok(history.at(2_300_000))
  assert.ok(history.at(4_207_000))
})

test('before the first reading and after all were forgotten nothing is known', () => {
  const history = new ImuHistory()
  assert.deepEqual([history.latest(), history.at(0), history.rate()], [undefined, undefined, null])
  history.add(turning(0, 4))
  history.clear()
  assert.deepEqual([history.latest(), history.at(0), history.rate()], [undefined, undefined, null])
})

test('the rate is that of the last second', () => {
  const history = new ImuHistory()
  for (let ms = 0; ms < 2_000; ms += 20) history.add(turning(ms, 4))
  for (let ms = 2_000; ms < 3_200; ms += 40) history.add(turning(ms, 4, 10))

  assert.ok(Math.abs((history.rate() ?? 0) - 100) < 3, `${history.rate()}`)
})
