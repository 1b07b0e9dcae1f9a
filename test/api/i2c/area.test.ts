// I2C over HTTP: the inventory, and a scan as a job.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Job } from '../../../machines/jobs/job.ts'
import { believableI2c, FakeI2c } from '../../../native/i2c/fake.ts'
import { I2C } from '../../../native/i2c/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { askerOf } from '../../support/api/ask.ts'
import { until } from '../../support/until.ts'

const DEVICE = '/v1/device/i2c'
const SCAN = '/v1/device/i2c/scan'

const i2cApi = async (t: TestContext, i2c = believableI2c()) => {
  const { app } = await fakeApi(t, {}, { ports: [value(I2C, i2c)] })
  const ask = askerOf({ app })
  const end = async (id: string): Promise<Job> =>
    (
      await until(
        'the end of the job',
        () => ask('GET', `/v1/jobs/${id}`),
        ({ body }) => body.ended_at_ms !== null,
      )
    ).body
  return { i2c, ask, scan: (body: object) => ask('POST', SCAN, body), end }
}

test('the inventory asks nothing over a bus, and is the same in both places', async (t) => {
  const { i2c, ask } = await i2cApi(t)

  const [one, other, only] = await Promise.all([
    ask('GET', DEVICE),
    ask('GET', '/v1/peripherals/i2c'),
    ask('GET', `${DEVICE}?adapter=13`),
  ])

  assert.deepEqual(
    one.body.adapters.map((each: { adapter: number; scan: string }) => [each.adapter, each.scan]),
    [
      [1, 'allowed'],
      [10, 'unknown'],
      [13, 'refused'],
    ],
  )
  assert.deepEqual(one.body.adapters[0].clients, [{ address: '0x6a', name: 'lsm6dso', driver: 'st_lsm6dsx_i2c' }])
  assert.deepEqual(one.body, other.body)
  assert.deepEqual(only.body.adapters, [one.body.adapters[2]])
  assert.deepEqual(i2c.asked, [])
})

test('where there is no bus, what was looked for is told', async (t) => {
  const { ask, scan } = await i2cApi(t, new FakeI2c())

  for (const { status, body } of [await ask('GET', DEVICE), await scan({ adapter: 1 })]) {
    assert.equal(status, 503)
    assert.equal(body.code, 'i2c.unavailable')
    assert.match(body.detail, /\/sys\/bus\/i2c\/devices/)
  }
})

test('a query that makes no sense is refused', async (t) => {
  const { ask } = await i2cApi(t)

  for (const query of ['adapter=x', 'adapter=-1', 'adapter=1.5', 'bus=1'])
    assert.equal((await ask('GET', `${DEVICE}?${query}`)).body.code, 'query.invalid', query)
})

test('a scan is a job, and what it finds stands beside its bus', async (t) => {
  const { i2c, ask, scan, end } = await i2cApi(t)

  const { status, body } = await scan({ adapter: 1 })
  const job = await end(body.id)

  assert.equal(status, 200)
  assert.equal(job.state, 'done')
  assert.deepEqual(
    (job.result as { chips: { address: string; name: string | null; known_by: string }[] }).chips.map((each) => [
      each.address,
      each.name,
      each.known_by,
    ]),
    [
      ['0x29', 'VL53L0X', 'register'],
      ['0x40', 'INA226', 'register'],
      ['0x50', null, 'guess'],
      ['0x68', null, 'guess'],
      ['0x6a', 'lsm6dso', 'driver'],
    ],
  )
  assert.ok(!i2c.asked.some((each) => each.startsWith(`1/${0x6a}`)), 'what a driver has is left alone')
  const { body: after } = await ask('GET', DEVICE)
  assert.deepEqual(after.adapters[0].last_scan, { job_id: job.id, ended_at_ms: job.ended_at_ms, found: job.result })
})

test('what may not be scanned is not, and no job is started', async (t) => {
  const { i2c, ask, scan } = await i2cApi(t)

  const refused = [await scan({ adapter: 13, force: true }), await scan({ adapter: 10 }), await scan({ adapter: 4 })]

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [
      [409, 'i2c.refused'],
      [409, 'i2c.refused'],
      [404, 'i2c.not_found'],
    ],
  )
  assert.deepEqual((await ask('GET', '/v1/jobs')).body.items, [])
  assert.deepEqual(i2c.asked, [])
})

test('a bus that does not move is told by its job, and the next scan runs', async (t) => {
  const { i2c, scan, end } = await i2cApi(t, believableI2c(true))

  const stuck = await end((await scan({ adapter: 1 })).body.id)
  i2c.fault = undefined
  const next = await end((await scan({ adapter: 1 })).body.id)

  assert.deepEqual([stuck.state, stuck.fault?.code], ['failed', 'i2c.stuck'])
  assert.equal(next.state, 'done')
})

test('a display that came while a scan waited for its turn is not scanned', async (t) => {
  const { i2c, scan, end } = await i2cApi(t)
  const [header] = i2c.adapters
  assert.ok(header)
  const looks = [[header], [{ ...header, is_of_display: true }]]
  Object.defineProperty(i2c, 'adapters', { get: () => looks.shift() ?? [] })

  const job = await end((await scan({ adapter: 1 })).body.id)

  assert.deepEqual([job.state, job.fault?.code], ['failed', 'i2c.refused'])
  assert.deepEqual(i2c.asked, [])
})
