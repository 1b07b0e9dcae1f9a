// The IMU over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { RawImuBatch } from '../../../machines/imu/reading.ts'
import { FAKE_IMU, FakeImus } from '../../../native/imu/fake.ts'
import { IMU_DEVICES } from '../../../native/imu/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

const G = 9.80665

const imuApi = async (t: TestContext, port = new FakeImus()) => {
  const { app } = await fakeApi(t, {}, { ports: [value(IMU_DEVICES, port)] })
  const ask = async (method: 'GET' | 'PATCH' | 'POST', payload?: object, url = '/v1/device/imu') => {
    const { statusCode, body, headers } = await app.inject({
      method,
      url,
      headers: { host: 'localhost' },
      ...(payload && { payload }),
    })
    return { status: statusCode, headers, body: body === '' ? undefined : JSON.parse(body) }
  }
  const become = (state: string) => until(`the state ${state}`, async () => (await ask('GET')).body.state === state)
  let us = 10_000_000
  /** Says that it turns so for a second, 200 samples. */
  const say = (
    turns: readonly number[] = [0, 0, 0],
    accel: readonly number[] = [0, 0, G],
    temperature_c: number | null = 40,
  ) => {
    const count = 200
    const batch: RawImuBatch = {
      count,
      at_us: Float64Array.from({ length: count }, (_, n) => us + 5_000 * n),
      gyro_rad_s: Float64Array.from({ length: 3 * count }, (_, n) => turns[n % 3] as number),
      accel_m_s2: Float64Array.from({ length: 3 * count }, (_, n) => accel[n % 3] as number),
      temperature_c,
    }
    us += 1_000_000
    port.say(batch)
  }
  return { port, ask, become, say }
}

test('what it says is told, with its state and its settings', async (t) => {
  const { ask, become, say } = await imuApi(t)
  await become('opening')
  say()
  await become('running')

  const { status, body } = await ask('GET')

  assert.equal(status, 200)
  assert.equal(body.reading.at_us, 10_995_000)
  assert.deepEqual(body.reading.accel_g, [0, 0, 1])
  assert.deepEqual([body.revision, body.mount_name, body.rate_hz], [0, 'x_forward_z_up', 200])
})

test('where there is none the answer says where it was looked for, and when to ask again', async (t) => {
  const { ask } = await imuApi(t, new FakeImus([]))
  await until('the first look', async () => (await ask('GET')).body.code === 'imu.not_found')

  const { status, headers, body } = await ask('GET')

  assert.equal(status, 503)
  assert.ok(Number(headers['retry-after']) > 0)
  assert.equal(body.context.looked_for.length, 1)
  assert.ok(body.detail.includes(body.context.looked_for[0]))
  const changed = await ask('PATCH', { rate_hz: 100 })
  assert.deepEqual([changed.status, changed.body.state, changed.body.settings.rate_hz], [200, 'absent', 100])
  assert.equal((await ask('POST', {}, '/v1/device/imu/bias')).body.code, 'imu.not_found')
})

test('settings are changed by name or by angles, each with a revision, and a stale change is refused', async (t) => {
  const { ask, become } = await imuApi(t)
  await become('opening')

  const named = await ask('PATCH', { mount: 'x_left_z_up', rate_hz: 400 })
  assert.deepEqual(
    [named.status, named.body.revision, named.body.settings.mount, named.body.settings.rate_hz],
    [200, 1, { roll_deg: 0, pitch_deg: 0, yaw_deg: 90 }, 400],
  )
  assert.equal((await ask('PATCH', { imu: 'fake:imu' })).body.settings.imu, 'fake:imu')
  const leaning = await ask('PATCH', { mount: { roll_deg: 3, pitch_deg: 0, yaw_deg: 0 } })
  assert.deepEqual([leaning.body.mount_name, leaning.headers.etag], [null, '"3"'])

  const stale = await ask('PATCH', { rate_hz: 100, expected_revision: 1 })
  assert.deepEqual([stale.status, stale.body.code], [409, 'revision.stale'])
  assert.equal((await ask('PATCH', { rate_hz: 5 })).status, 400)
  assert.equal((await ask('PATCH', { mount: 'x_up_z_up' })).status, 400)
  assert.equal((await ask('PATCH', { bias: 3 })).status, 400)
})

test('an IMU that is not there cannot be chosen, and one that has gone is shown as gone and left again', async (t) => {
  const { ask, become, port } = await imuApi(t)
  await become('opening')
  const refused = await ask('PATCH', { imu: 'nope' })
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/imu'])
  await ask('PATCH', { imu: 'fake:imu' })
  await become('opening')

  port.imus = [{ ...FAKE_IMU, id: 'fake:other' }]
  await ask('PATCH', { rate_hz: 400 })
  await become('absent')

  assert.equal((await ask('GET')).body.found[0].id, 'fake:other')
  assert.equal((await ask('PATCH', { imu: null })).status, 200)
  await become('opening')
})

test('half an IMU cannot be chosen, with why, and one that became half is not read', async (t) => {
  const detail = 'it measures forces and no turns'
  const half = { ...FAKE_IMU, id: 'fake:half', detail }
  const { ask, become, port } = await imuApi(t, new FakeImus([FAKE_IMU, half]))
  await become('opening')

  const refused = await ask('PATCH', { imu: 'fake:half' })
  await ask('PATCH', { imu: 'fake:imu' })
  port.imus = [{ ...FAKE_IMU, detail }]
  await ask('PATCH', { rate_hz: 400 })
  await become('absent')

  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/imu'])
  assert.equal(refused.body.errors[0].message, `cannot be "fake:half": ${detail}`)
  const { body } = await ask('GET')
  assert.deepEqual([body.imu, body.found[0].detail, body.fault], [null, detail, null])
})

test('switched off it is shown as off, also where there is none, and switched on again', async (t) => {
  const { ask } = await imuApi(t, new FakeImus([]))
  await until('the first look', async () => (await ask('GET')).body.code === 'imu.not_found')

  assert.equal((await ask('PATCH', { enabled: false })).status, 200)
  await until('off', async () => (await ask('GET')).body.state === 'off')

  assert.equal((await ask('PATCH', { enabled: true })).status, 200)
  await until('another look', async () => (await ask('GET')).status === 503)
})

const BIAS = [0.01, -0.02, 0.005] as const

const jobOf = async (ask: Awaited<ReturnType<typeof imuApi>>['ask'], id: string) =>
  (await ask('GET', undefined, `/v1/jobs/${id}`)).body

test('the bias is measured while it holds still, is kept, and is taken off from then on', async (t) => {
  const { ask, become, say } = await imuApi(t)
  await become('opening')
  say(BIAS)
  await become('running')

  const started = await ask('POST', { duration_s: 2 }, '/v1/device/imu/bias')
  assert.equal(started.status, 201)
  await until('its turn', async () => (await jobOf(ask, started.body.id)).progress.message !== '')
  for (let n = 0; n < 4; n++) say(BIAS)
  await until('its end', async () => (await jobOf(ask, started.body.id)).ended_at_ms !== null)

  const { state, result } = await jobOf(ask, started.body.id)
  assert.equal(state, 'done')
  for (const axis of [0, 1, 2] as const)
    assert.ok(Math.abs(result.bias.gyro_dps[axis] - (180 / Math.PI) * BIAS[axis]) < 1e-9)
  say(BIAS)
  await become('running')
  const { body } = await ask('GET')
  assert.deepEqual(body.bias, result.bias)
  assert.ok(Math.abs(body.reading.gyro_dps[1]) < 0.01)

  assert.equal((await ask('PATCH', { bias: null })).body.bias, null)
})

test('the bias of a chip that tells no temperature is kept too, also over one that was there', async (t) => {
  const { ask, become, say } = await imuApi(t)
  await become('opening')
  say(BIAS)
  await become('running')
  const measure = async (temperature_c: number | null) => {
    const { body } = await ask('POST', { duration_s: 2 }, '/v1/device/imu/bias')
    await until('its turn', async () => (await jobOf(ask, body.id)).progress.message !== '')
    for (let n = 0; n < 4; n++) say(BIAS, [0, 0, G], temperature_c)
    await until('its end', async () => (await jobOf(ask, body.id)).ended_at_ms !== null)
    say(BIAS)
    await become('running')
    return jobOf(ask, body.id)
  }

  for (const temperature_c of [null, 40, null]) {
    const { state, result, fault } = await measure(temperature_c)
    assert.deepEqual([state, fault], ['done', null])
    assert.equal(result.bias.temperature_c, temperature_c)
    assert.deepEqual((await ask('GET')).body.bias, result.bias)
  }
})

for (const [what, turns, accel, why] of [
  ['is turned', [0, 0, 0.1], [0, 0, G], /it moved: its turns changed by 5\.\d degrees/],
  ['is tilted', [0, 0, 0], [1, 0, 9.75], /it moved: what pulls at it changed by 1\.0 m\/s²/],
  ['spins', [0, 0, 3], [0, 0, G], /it shakes by 46\.\d degrees/],
] as const)
  test(`a bias is refused in words when the robot ${what}, and nothing is stored`, async (t) => {
    const { ask, become, say } = await imuApi(t)
    await become('opening')
    say()
    await become('running')
    const started = await ask('POST', { duration_s: 2 }, '/v1/device/imu/bias')
    await until('its turn', async () => (await jobOf(ask, started.body.id)).progress.message !== '')

    say()
    say(turns, accel)
    await until('its end', async () => (await jobOf(ask, started.body.id)).ended_at_ms !== null)

    const { state, fault } = await jobOf(ask, started.body.id)
    assert.deepEqual([state, fault.code], ['failed', 'imu.moved'])
    assert.match(fault.detail, why)
    assert.deepEqual([(await ask('GET')).body.bias, (await ask('GET')).body.revision], [null, 0])
  })

test('a bias cannot be measured while nothing is read', async (t) => {
  const port = new FakeImus()
  port.fault = { code: 'imu.failed', detail: 'another program reads it' }
  const { ask, become } = await imuApi(t, port)
  await become('failed')

  const started = await ask('POST', {}, '/v1/device/imu/bias')
  await until('its end', async () => (await jobOf(ask, started.body.id)).ended_at_ms !== null)

  assert.equal((await jobOf(ask, started.body.id)).fault.code, 'imu.not_running')
  assert.equal((await ask('GET')).body.fault.detail, 'another program reads it')
  await ask('PATCH', { enabled: false })
  await become('off')
  const { status, body } = await ask('POST', {}, '/v1/device/imu/bias')
  assert.deepEqual([status, body.code], [503, 'imu.not_running'])
})
