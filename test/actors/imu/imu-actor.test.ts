// The IMU at work on a made-up chip: what others see of it, and what happens when it falls silent, breaks or is set.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { imuActor, SILENT_MS } from '../../../actors/imu/imu-actor.ts'
import { ImuView } from '../../../actors/imu/imu-view.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { IMU_DOCUMENT, imuCollection } from '../../../machines/imu/settings-collection.ts'
import { imuStateOf } from '../../../machines/imu/state.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { FakeImus } from '../../../native/imu/fake.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'

const G = 9.80665

/** Level samples at rest, 200 in a second, from this moment on. */
const level = (fromUs: number, count = 200, turns: readonly number[] = [0, 0, 0]) => ({
  count,
  at_us: Float64Array.from({ length: count }, (_, n) => fromUs + 5_000 * n),
  gyro_rad_s: Float64Array.from({ length: 3 * count }, (_, n) => turns[n % 3] as number),
  accel_m_s2: Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 2 ? G : 0)),
  temperature_c: 41,
})

const working = async (t: TestContext, devices = new FakeImus()) => {
  const view = new ImuView((bug) => assert.fail(String(bug)))
  const store = createSettingsStore()
  const timers = new HandClock()
  const recorded: Fault[] = []
  const clock = simulatedClock()
  const logic = imuActor({
    devices,
    settings: store,
    view,
    record: (fault) => recorded.push(fault),
    later: timers.later,
  })
  const actor = createActor(logic, { clock })
  actor.subscribe({ error: () => {} })
  actor.start()
  t.after(() => Effect.runPromise(endEffects(actor)))
  const until = (state: string) => untilState(actor, ({ value }) => imuStateOf(value) === state, `the state ${state}`)
  const set = (value: object) => {
    const commit = { collection: imuCollection.name, collectionRevision: 1, collectionBase: 0, revision: 1 }
    store.trigger.committed({ ...commit, id: IMU_DOCUMENT, value })
  }
  return { devices, view, timers, recorded, clock, actor, until, set }
}

const SETTINGS = { enabled: true, rate_hz: 200, mount: { roll_deg: 0, pitch_deg: 0, yaw_deg: 0 } }

test('a chip that says something is settled within a second, and its readings are heard and kept', async (t) => {
  const { devices, view, until } = await working(t)
  await until('opening')
  const heard: number[] = []
  view.listen(({ count }) => heard.push(count))
  assert.equal(view.latest(), undefined)

  devices.say(level(10_000_000, 20))
  await until('settling')
  devices.say(level(10_100_000))
  await until('running')

  assert.equal(heard.length, 1)
  assert.equal(view.latest()?.at_us, 11_095_000)
  assert.equal(view.at(11_002_500)?.accel_g[2], 1)
  const { imu, rate_hz, temperature_c, found, fault } = view.status()
  assert.deepEqual([imu?.id, rate_hz, temperature_c, found.length, fault], ['fake:imu', 200, 41, 1, null])
})

test('a chip that falls silent is a fault within two seconds, and is opened again', async (t) => {
  const { devices, view, timers, recorded, clock, until } = await working(t)
  await until('opening')
  devices.say(level(10_000_000))
  await until('running')

  timers.advance(SILENT_MS)
  timers.advance(SILENT_MS)
  await until('failed')

  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['imu.silent', 'imu']],
  )
  assert.equal(view.latest(), undefined)
  assert.equal(devices.reader, undefined)
  clock.increment(500)
  await until('opening')
  assert.equal(devices.opened, 2)
  devices.say(level(20_000_000))
  await until('running')
  assert.equal(view.fault, null)
})

test('samples that come late, as after a process that stood still, are no silence', async (t) => {
  const { devices, view, timers, recorded, until } = await working(t)
  await until('opening')
  devices.say(level(10_000_000))
  await until('running')

  for (const at_us of [12_000_000, 14_000_000]) {
    timers.advance(0.9 * SILENT_MS)
    devices.say(level(at_us))
  }

  assert.deepEqual([recorded, view.fault], [[], null])
})

test('a chip that is pulled out is looked for, and found when it is plugged in again', async (t) => {
  const { devices, view, clock, until } = await working(t)
  await until('opening')
  const all = devices.imus
  devices.imus = []

  devices.end({ code: 'imu.failed', detail: 'it was pulled out' })
  await until('failed')
  clock.increment(500)
  await until('absent')
  assert.deepEqual([view.used, view.found.imus], [null, []])
  assert.equal(view.status().fault?.detail, 'it was pulled out')

  devices.imus = all
  clock.increment(5_000)
  await until('opening')
})

test('one that cannot be opened is tried less and less often', async (t) => {
  const devices = new FakeImus()
  devices.fault = { code: 'imu.failed', detail: 'another program reads it' }
  const { clock, recorded, until } = await working(t, devices)
  await until('failed')

  for (const waitMs of [500, 1_000, 2_000, 4_000]) {
    const before = recorded.length
    clock.increment(waitMs - 1)
    assert.equal(recorded.length, before)
    clock.increment(1)
    await until('looking')
    await until('failed')
    assert.equal(recorded.length, before + 1)
  }
})

test('another mount or another bias begins at yaw 0; another rate opens it again; off closes it', async (t) => {
  const { devices, view, until, set } = await working(t)
  await until('opening')
  devices.say(level(10_000_000, 600, [0, 0, 1]))
  await until('running')
  assert.ok((view.latest()?.yaw_deg ?? 0) > 100)

  set({ ...SETTINGS, mount: { roll_deg: 0, pitch_deg: 0, yaw_deg: 90 } })
  await until('settling')
  assert.equal(view.latest(), undefined)
  devices.say(level(13_000_000))
  await until('running')
  assert.ok(Math.abs(view.latest()?.yaw_deg ?? 1) < 0.01)

  const bias = { imu: 'fake:imu', gyro_dps: [0, 0, 57.29578], temperature_c: null, measured_at_ms: 1 }
  set({ ...SETTINGS, bias })
  devices.say(level(14_000_000, 200, [0, 0, 1]))
  await until('running')
  assert.ok(Math.abs(view.latest()?.yaw_deg ?? 1) < 0.01)
  assert.deepEqual(view.status().bias, bias)

  set({ ...SETTINGS, rate_hz: 400 })
  await until('opening')
  assert.equal(devices.reader?.setup.rate_hz, 400)

  set({ ...SETTINGS, enabled: false })
  await until('off')
  assert.equal(devices.reader, undefined)
})

test('a bias of another chip is not used', async (t) => {
  const { devices, view, until, set } = await working(t)
  await until('opening')

  set({ ...SETTINGS, bias: { imu: 'fake:other', gyro_dps: [9, 9, 9], temperature_c: null, measured_at_ms: 1 } })
  devices.say(level(10_000_000))
  await until('running')

  assert.equal(view.status().bias, null)
  assert.ok(Math.abs(view.latest()?.gyro_dps[0] ?? 1) < 0.01)
})
