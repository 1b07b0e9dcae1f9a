// How the device does, over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Check } from 'typebox/schema'
import { DeviceMetrics } from '../../../api/system/metrics.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { FakeRunRecord, FakeSystem } from '../../../native/system/fake.ts'
import { linuxSystem } from '../../../native/system/linux.ts'
import { RUN_RECORD, SYSTEM } from '../../../native/system/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { plant } from '../../support/device/plant.ts'
import { until } from '../../support/until.ts'

const nowUs = new FakeClock().monotonicUs

const deviceApi = async (t: TestContext, port = new FakeSystem({ nowUs }), record = new FakeRunRecord()) => {
  const { app } = await fakeApi(t, {}, { ports: [value(SYSTEM, port), value(RUN_RECORD, record)] })
  const ask = async (url: string) => {
    const { statusCode, body, headers } = await app.inject({ method: 'GET', url, headers: { host: 'localhost' } })
    return { status: statusCode, body, type: headers['content-type'], json: () => JSON.parse(body) }
  }
  return { port, record, ask }
}

test('how the device does is told with the first question, with the last seconds in columns when asked', async (t) => {
  const { ask } = await deviceApi(t)

  const { status, json } = await ask('/v1/device/metrics')

  assert.equal(status, 200)
  assert.ok(Check(DeviceMetrics, json()))
  assert.deepEqual([json().processes[0].part, json().troubles, json().history], ['control', [], undefined])
  const { history } = (await ask('/v1/device/metrics?window_s=60')).json()
  assert.equal(history.celsius[0], json().temperature.celsius)
  assert.equal((await ask('/v1/device/metrics?window_s=601')).status, 400)
})

test('what is wrong is told in words, the worst first', async (t) => {
  const troubled = new FakeSystem({ troubles: ['hot', 'low-memory', 'full-disk'] })
  const { ask } = await deviceApi(t, troubled)

  const { troubles } = (await ask('/v1/device/metrics')).json()

  assert.deepEqual(
    troubles.map(({ what }: { readonly what: string }) => what),
    ['too-hot', 'full-disk', 'low-memory'],
  )
  assert.match(troubles[1].detail, /Only 13 MB of the disk are left/)
})

test('Prometheus reads the same figures as text', async (t) => {
  const { ask, port } = await deviceApi(t)
  port.reading = { throttling: { now: null, reasons: [], since_start: [] } }

  const { status, body, type } = await ask('/v1/device/metrics?format=prometheus')

  assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8'])
  assert.match(body, /^# TYPE vedette_cpu_temperature_celsius gauge$/m)
  assert.match(body, /^vedette_network_receive_bytes_total\{interface="eth0"\} \d+$/m)
  assert.match(body, /^vedette_process_resident_bytes\{part="control",stream_id=""\} \d+$/m)
  assert.doesNotMatch(body, /vedette_cpu_slowed/, 'what the device does not tell is left out')
})

test('how the device is fed: conditions, rails, and how it went off', async (t) => {
  const port = new FakeSystem()
  port.reading = { throttling: { now: true, reasons: ['under-voltage'], since_start: ['under-voltage'] } }
  const record = new FakeRunRecord()
  record.record = {
    boot_id: 'an earlier one',
    is_running: true,
    starts: 4,
    unsafe_shutdowns: 2,
    last_was_unsafe: false,
  }
  const { ask } = await deviceApi(t, port, record)

  const { conditions, trouble, rails, runs } = await until(
    'the first reading',
    async () => (await ask('/v1/device/power')).json(),
    (power) => power.conditions.length > 0,
  )

  assert.deepEqual(
    [conditions[0].what, conditions[0].now, conditions[0].times, conditions[0].since_start],
    ['under-voltage', true, 1, true],
  )
  assert.match(trouble, /too weak/)
  assert.equal(rails[0].name, 'EXT5V')
  assert.deepEqual(runs, { starts: 5, unsafe_shutdowns: 3, last_was_unsafe: true })
  assert.deepEqual((await ask('/v1/device/os')).json().runs, runs)
})

test('a device that tells nothing of a thing answers with what is missing', async (t) => {
  const port = new FakeSystem()
  port.told = null
  port.railsTold = []
  port.fansTold = []
  port.reading = { throttling: { now: null, reasons: [], since_start: [] } }
  const { ask } = await deviceApi(t, port)
  const refusal = async (url: string) => {
    const { status, json } = await ask(url)
    return [status, json().code]
  }

  assert.deepEqual(await refusal('/v1/device/os'), [404, 'system.no_release'])
  assert.deepEqual(await refusal('/v1/device/power'), [503, 'system.no_power'])
  assert.deepEqual(await refusal('/v1/peripherals/fan'), [503, 'system.no_fan'])
})

test('a fan that is driven and stands still is said to be in trouble', async (t) => {
  const { ask } = await deviceApi(t)
  const { fans } = (await ask('/v1/peripherals/fan')).json()

  assert.deepEqual([fans[0].name, fans[0].mode, fans[0].trouble], ['pwmfan', 'automatic', null])
})

test('peripherals are the cameras and what else the system knows', async (t) => {
  const { ask } = await deviceApi(t)

  const { cameras, others } = (await ask('/v1/peripherals')).json()

  assert.deepEqual(cameras, (await ask('/v1/peripherals/cameras')).json().items)
  assert.ok(others.some(({ kind }: { readonly kind: string }) => kind === 'fan'))
})

test('a Linux that tells nothing at all is answered for as the table allows', async (t) => {
  const port = linuxSystem({ disk: '/nowhere', root: plant(t, []), nowUs: systemClock.monotonicUs })
  const { app } = await fakeApi(t, {}, { ports: [value(SYSTEM, port)] })
  const statusOf = async (url: string) =>
    (await app.inject({ method: 'GET', url, headers: { host: 'localhost' } })).statusCode

  assert.equal(await statusOf('/v1/device/os'), 404)
  assert.equal(await statusOf('/v1/device/metrics'), 200)
  assert.equal(await statusOf('/v1/device/metrics?format=prometheus'), 200)
  assert.equal(await statusOf('/v1/device/power'), 503)
  assert.equal(await statusOf('/v1/peripherals'), 200)
  assert.equal(await statusOf('/v1/peripherals/fan'), 503)
})
