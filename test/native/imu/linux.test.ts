// IMUs of a Linux system, in a folder that stands for it: real files, real pipes, a real child process that reads them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { RawImuBatch } from '../../../machines/imu/reading.ts'
import type { OpenedImu } from '../../../native/imu/port.ts'
import { type IioTree, iioTree, rawsOf, sampleOf, scanOf, WHOLE } from '../../support/imu/iio-tree.ts'
import { faultOf } from '../../support/processes/documents.ts'
import { until } from '../../support/until.ts'

const HALF = {
  sampling_frequency: '050',
  sampling_frequency_available: '52 104 208',
  current_timestamp_clock: 'realtime\n',
}
const GYRO = {
  ...HALF,
  name: 'lsm6dsm_gyro',
  in_anglvel_scale: '0.000305',
  ...rawsOf('anglvel', [0, 0, 0]),
  ...scanOf([
    ['anglvel_x', 'le:s16/16>>0'],
    ['anglvel_y', 'le:s16/16>>0'],
    ['anglvel_z', 'le:s16/16>>0'],
    ['timestamp', 'le:s64/64>>0'],
  ]),
}
const ACCEL = {
  ...HALF,
  name: 'lsm6dsm_accel',
  in_accel_scale: '0.000598',
  ...rawsOf('accel', [0, 0, 16_400]),
  ...scanOf([
    ['accel_x', 'le:s16/16>>0'],
    ['accel_y', 'le:s16/16>>0'],
    ['accel_z', 'le:s16/16>>0'],
    ['timestamp', 'le:s64/64>>0'],
  ]),
}

const found = (tree: IioTree) => Effect.runPromise(tree.imus.find)

/** Opens one until the test ends. */
const opened = async (t: TestContext, tree: IioTree, id: string, rate_hz = 200) => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(close)
  const batches: RawImuBatch[] = []
  const ends: Fault[] = []
  const how: OpenedImu = await Effect.runPromise(
    Scope.provide(
      tree.imus.open(
        { id, rate_hz },
        (batch) => batches.push(batch),
        (fault) => ends.push(fault),
      ),
      scope,
    ),
  )
  return { how, batches, ends, close, count: () => batches.reduce((sum, { count }) => sum + count, 0) }
}

const refusal = (tree: IioTree, id: string) =>
  Effect.runPromise(
    faultOf(
      Effect.asVoid(
        Effect.scoped(
          tree.imus.open(
            { id, rate_hz: 200 },
            () => {},
            () => {},
          ),
        ),
      ),
    ),
  )

const near = (values: Iterable<number>, expected: readonly number[]) =>
  assert.deepEqual(
    [...values].map((value) => Math.round(value * 1e4) / 1e4 + 0),
    expected.map((value) => Math.round(value * 1e4) / 1e4 + 0),
  )

test('a chip is found by what it measures, and what lies beside it without a name is borne', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0048', { name: 'ads1015', in_voltage0_raw: '1' })
  tree.add(3, 'i2c-1/1-0068', WHOLE)

  const { imus, looked_for } = await found(tree)

  assert.deepEqual(
    imus.map(({ id, way, devices, rates_hz, detail }) => ({ id, way, devices, rates_hz, detail })),
    [
      {
        id: 'iio:inv-mpu6050@1-0068',
        way: 'buffer',
        devices: ['iio:device3'],
        rates_hz: [50, 100, 200, 500],
        detail: null,
      },
    ],
  )
  assert.match(looked_for.join(' '), /sys\/bus\/iio/)
})

test('two devices of one chip are one IMU; a half alone is shown with why it is not used', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-006a', ACCEL)
  tree.add(1, 'i2c-1/1-006a', GYRO)
  tree.add(2, 'i2c-4/4-001d', { ...ACCEL, name: 'adxl345' })

  const { imus } = await found(tree)

  assert.deepEqual(
    imus.map(({ id, devices, detail }) => [id, devices, detail === null]),
    [
      ['iio:lsm6dsm_gyro+lsm6dsm_accel@1-006a', ['iio:device1', 'iio:device0'], true],
      ['iio:adxl345@4-001d', ['iio:device2'], false],
    ],
  )
})

test('a system without any folder has none, and says where was looked', async (t) => {
  const { imus, looked_for } = await found(iioTree(t))

  assert.equal(imus.length, 0)
  assert.ok(looked_for.length > 0)
})

test('samples come scaled, turned by the mount matrix and at their time, however they are cut', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0068', WHOLE)
  const { how, batches, count } = await opened(t, tree, 'iio:inv-mpu6050@1-0068')
  assert.deepEqual(how, { way: 'buffer', rate_hz: 200 })
  assert.match(tree.text(0, 'current_timestamp_clock'), /^monotonic/)
  assert.equal(tree.text(0, 'buffer/enable').trim(), '1')
  assert.equal(tree.text(0, 'scan_elements/in_timestamp_en').trim(), '1')

  const kernel = tree.kernel(0)
  const bytes = Buffer.concat([
    sampleOf([-10, 0, 8192], [1000, 0, 0], tree.nowUs - 5_000),
    sampleOf([990, 0, 8192], [0, 2000, -3000], tree.nowUs),
  ])
  kernel.give(bytes.subarray(0, 7))
  kernel.give(bytes.subarray(7, 30))
  kernel.give(bytes.subarray(30))
  await until('two samples', () => count() === 2)

  const all = batches.flatMap(({ at_us, gyro_rad_s, accel_m_s2 }) =>
    [...at_us].map((us, n) => ({
      us,
      turns: gyro_rad_s.slice(3 * n, 3 * n + 3),
      forces: accel_m_s2.slice(3 * n, 3 * n + 3),
    })),
  )
  assert.deepEqual(
    all.map(({ us }) => us),
    [tree.nowUs - 5_000, tree.nowUs],
  )
  // the matrix makes y of x: x' = y, y' = −x
  near(all[0]?.turns ?? [], [0, -0.532, 0])
  near(all[0]?.forces ?? [], [0, 0, 8192 * 0.001196])
  near(all[1]?.turns ?? [], [2000 * 0.000532, 0, -3000 * 0.000532])
  near(all[1]?.forces ?? [], [0, -1000 * 0.001196, 8192 * 0.001196])
})

test('when it is closed the buffer is off, and another can open it', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0068', WHOLE)
  const first = await opened(t, tree, 'iio:inv-mpu6050@1-0068')
  await first.close()
  assert.equal(tree.text(0, 'buffer/enable').trim(), '0')

  const second = await opened(t, tree, 'iio:inv-mpu6050@1-0068')
  tree.kernel(0).give(sampleOf([0, 0, 8192], [0, 0, 0], tree.nowUs))

  await until('a sample of the second', () => second.count() === 1)
  assert.equal(first.count(), 0)
})

test('stamps of another clock are moved to that of frames, and one that runs back is left out', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0068', WHOLE)
  const { batches, count } = await opened(t, tree, 'iio:inv-mpu6050@1-0068')
  const kernel = tree.kernel(0)
  const unixUs = 1_767_225_600_000_000

  kernel.give(sampleOf([0, 0, 8192], [0, 0, 0], unixUs))
  await until('the first', () => count() === 1)
  tree.nowUs += 5_000
  kernel.give(
    Buffer.concat([
      sampleOf([0, 0, 8192], [0, 0, 0], unixUs - 1_000),
      sampleOf([0, 0, 8192], [0, 0, 0], unixUs + 5_000),
    ]),
  )
  await until('the second', () => count() === 2)

  const stamps = batches.flatMap(({ at_us }) => [...at_us])
  near(
    stamps.map((us) => us - tree.nowUs),
    [-5_000, 0],
  )
})

test('turns and forces of two devices are joined by time, the forces between their samples', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-006a', ACCEL)
  tree.add(1, 'i2c-1/1-006a', GYRO)
  const { how, batches, count } = await opened(t, tree, 'iio:lsm6dsm_gyro+lsm6dsm_accel@1-006a')
  assert.equal(how.way, 'buffer')
  const sample = (value: number, atUs: number) => {
    const view = new DataView(new ArrayBuffer(16))
    view.setInt16(4, value, true)
    view.setBigInt64(8, BigInt(atUs * 1000), true)
    return new Uint8Array(view.buffer)
  }
  const [forces, turns] = [tree.kernel(0), tree.kernel(1)]

  turns.give(Buffer.concat([sample(100, tree.nowUs - 7_500), sample(200, tree.nowUs - 2_500)]))
  forces.give(Buffer.concat([10_000, 12_000, 16_000].map((value, n) => sample(value, tree.nowUs - 10_000 + 5_000 * n))))
  await until('both turns', () => count() === 2)

  near(
    batches.flatMap(({ gyro_rad_s }) => [...gyro_rad_s].filter((_, at) => at % 3 === 2)),
    [100 * 0.000305, 200 * 0.000305],
  )
  near(
    batches.flatMap(({ accel_m_s2 }) => [...accel_m_s2].filter((_, at) => at % 3 === 2)),
    [11_000 * 0.000598, 14_000 * 0.000598],
  )
})

test('a device that is pulled out ends with a sentence, once', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0068', WHOLE)
  const { ends, count } = await opened(t, tree, 'iio:inv-mpu6050@1-0068')
  const kernel = tree.kernel(0)
  kernel.give(sampleOf([0, 0, 8192], [0, 0, 0], tree.nowUs))
  await until('a sample', () => count() === 1)
  kernel.give(sampleOf([0, 0, 8192], [0, 0, 0], tree.nowUs + 5_000).subarray(0, 11))

  kernel.end()

  await until('its end', () => ends.length > 0)
  assert.deepEqual(
    ends.map(({ code }) => code),
    ['imu.failed'],
  )
  assert.match(ends[0]?.detail ?? '', /inv-mpu6050 does not give any more/)
})

test('a chip without a trigger that works is read by its files, at 100 in a second at most', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0068', { ...WHOLE, 'trigger/current_trigger': '\n' })
  tree.set(0, '../trigger0/name', 'other\n')
  const { how, batches, count } = await opened(t, tree, 'iio:inv-mpu6050@1-0068', 400)
  assert.deepEqual(how, { way: 'polling', rate_hz: 100 })

  await until('two samples', () => count() >= 2)

  near(batches[0]?.accel_m_s2 ?? [], [0, -10 * 0.001196, 8192 * 0.001196])
  near([batches[0]?.temperature_c ?? 0], [30])
})

test('files that say nothing for a moment are read again, and a chip that stays so is given up', async (t) => {
  const tree = iioTree(t)
  const { scan_elements: _, ...files } = Object.fromEntries(
    Object.entries(WHOLE).filter(([name]) => !/^(scan_elements|buffer|trigger)/.test(name)),
  )
  tree.add(0, 'i2c-1/1-0068', files)
  const { count, ends } = await opened(t, tree, 'iio:inv-mpu6050@1-0068')
  await until('a sample', () => count() > 0)

  tree.set(0, 'in_accel_y_raw', '')
  await until('its end', () => ends.length === 1)

  assert.match(ends[0]?.detail ?? '', /it says ""/)
})

const LIES: readonly (readonly [string, string, RegExp])[] = [
  ['in_accel_scale', '0', /says no scale of its channel accel_x/],
  ['in_accel_scale', 'hello', /says no scale/],
  ['in_accel_scale', '98', /its driver is wrong/],
  ['in_anglvel_scale', '0.0000001', /its driver is wrong/],
  ['scan_elements/in_accel_x_type', 'le:s16/12>>0', /lays out its channel in_accel_x as "le:s16\/12>>0"/],
  ['scan_elements/in_accel_x_index', 'x', /lays out/],
]
for (const [file, text, why] of LIES)
  test(`a chip that says ${JSON.stringify(text)} as its ${file} is refused with a sentence`, async (t) => {
    const tree = iioTree(t)
    tree.add(0, 'i2c-1/1-0068', { ...WHOLE, [file]: text })

    const { code, detail } = await refusal(tree, 'iio:inv-mpu6050@1-0068')

    assert.equal(code, 'imu.failed')
    assert.match(detail, why)
    assert.equal(tree.text(0, 'buffer/enable').trim(), '0')
  })

test('a device file that is not there, and an IMU that has gone, are said as such', async (t) => {
  const tree = iioTree(t)
  tree.add(0, 'i2c-1/1-0068', WHOLE)
  tree.remove(0, '../../../../../dev/iio:device0')

  assert.match((await refusal(tree, 'iio:inv-mpu6050@1-0068')).detail, /cannot be read: ENOENT/)
  assert.match((await refusal(tree, 'iio:other@1-0068')).detail, /is not there any more/)
})
