// Sources outside of the service: what they declare, what they send, what becomes of it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EXTERNAL_SAMPLES } from '../../../actors/localization/tokens.ts'
import { NT4_LINK } from '../../../actors/nt4/tokens.ts'
import type { ExternalMeasurement } from '../../../machines/localization/external/output-slot.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { askLocalization, type Reply } from '../../support/localization/asking.ts'
import { until } from '../../support/until.ts'

const declared = {
  kind: 'absolute',
  origin: 'blue',
  time_base: 'age_us',
  outputs: [{ output_key: 'pose', data_type: 'pose' }],
  use: 'solve',
}
const angles = { roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const pose = { x_m: 4, y_m: 3, z_m: 0, ...angles }
const SOURCE = 'external/sources/quest'
const SAMPLE = `${SOURCE}/sample`

/** A service with the source `quest`, declared as above with changes. */
const withSource = async (t: TestContext, changes: object = {}) => {
  const { app, fake } = await fakeApi(t)
  const ask = askLocalization({ app })
  const put = await ask('PUT', SOURCE, { ...declared, ...changes })
  assert.equal(put.status, 200, put.body)
  const send = (sample: object) => ask('POST', SAMPLE, { output_key: 'pose', age_us: 0, pose, ...sample })
  const newest = () => ask('GET', 'external/quest/outputs/pose')
  const status = async () => (await ask('GET', 'external/sources')).json.items[0].status.outputs[0]
  const measured: ExternalMeasurement[] = []
  fake.resolve(EXTERNAL_SAMPLES).measured.subscribe((each) => measured.push(each))
  const advance = (ms: number) => fake.clock.advanceMs(ms)
  return { ask, send, newest, status, fake, measured, advance, put }
}

const pointersOf = (reply: Reply): readonly string[] =>
  (assertProblem(reply, 'localization.invalid').errors ?? []).map(({ pointer }) => pointer)

test('a source is declared, changed and removed, and everybody hears of it', async (t) => {
  const { ask, fake, put } = await withSource(t)
  const told: unknown[] = []
  t.after(fake.directory.events.subscribe(({ kind, resource_ref, data }) => told.push([kind, resource_ref, data])))

  const changed = await ask('PUT', SOURCE, { ...declared, max_age_ms: 100 }, { 'if-match': put.etag ?? '' })
  const stale = await ask('PUT', SOURCE, declared, { 'if-match': put.etag ?? '' })
  const removed = await ask('DELETE', SOURCE)
  const again = await ask('DELETE', SOURCE)

  assert.deepEqual([changed.json.spec.max_age_ms, changed.json.revision], [100, 2])
  assertProblem(stale, 'revision.stale')
  assert.equal(removed.status, 204)
  assertProblem(again, 'external_source.not_found')
  assert.deepEqual(
    told.filter((each) => String(each).startsWith('external_source')),
    [
      ['external_source_changed', { source_id: 'quest' }, { deleted: false }],
      ['external_source_changed', { source_id: 'quest' }, { deleted: true }],
    ],
  )
})

test('a declaration that contradicts itself is refused by place', async (t) => {
  const { ask } = await withSource(t)
  const refused = async (changes: object) => pointersOf(await ask('PUT', SOURCE, { ...declared, ...changes }))
  const std = { x_m: 0.1, y_m: 0.1, z_m: 0.1, roll_deg: 1, pitch_deg: 1, yaw_deg: 1 }

  assert.deepEqual(await refused({ kind: 'relative' }), ['/origin'])
  assert.deepEqual(await refused({ origin: 'own' }), ['/origin'])
  assert.deepEqual(await refused({ of: 'sensor' }), ['/mount'])
  assert.deepEqual(await refused({ mount: pose }), ['/mount'])
  assert.deepEqual(
    await refused({ of: 'sensor', mount: { x_m: 0, y_m: 0, z_m: 0, quaternion: { w: 0, x: 0, y: 0, z: 0 } } }),
    ['/mount/quaternion'],
  )
  assert.deepEqual(await refused({ outputs: [] }), ['/outputs'])
  assert.deepEqual(await refused({ outputs: [...declared.outputs, ...declared.outputs] }), ['/outputs/1/output_key'])
  for (const x_m of [0, -1, 1e9]) assert.deepEqual(await refused({ std_devs: { ...std, x_m } }), ['/std_devs/x_m'])
  assert.deepEqual(await refused({ nonsense: 1 }), ['/nonsense'])
  assertProblem(await ask('PUT', 'external/sources/NO%20ID', declared), 'document.invalid')
})

test('a sample is shown in the frame of the blue corner, with its age', async (t) => {
  const { send, newest, advance } = await withSource(t)

  const answer = await send({ age_us: 12_000 })
  advance(30)
  const { json } = await newest()

  assert.deepEqual(answer.json, { accepted: true, reason: null, age_ms: 12 })
  assert.deepEqual([json.output_key, json.data_type, json.stale, Math.round(json.age_ms)], ['pose', 'pose', false, 42])
  assert.deepEqual(json.sample.pose, pose)
  assert.deepEqual(json.sample.quaternion, { w: 1, x: 0, y: 0, z: 0 })
})

test('a sensor seen from the red corner is the robot seen from the blue one', async (t) => {
  const mount = { x_m: 0.5, y_m: 0, z_m: 0.2, ...angles, yaw_deg: 180 }
  const { ask, send, newest } = await withSource(t, { origin: 'red', of: 'sensor', mount })
  await ask('PUT', 'config', { map_id: 'demo' })

  const quaternion = { w: 1.05, x: 0, y: 0, z: 0 }
  await send({ pose: { x_m: 2, y_m: 1, z_m: 0.2, quaternion } })
  const { sample } = (await newest()).json

  const { length_m, width_m } = (await ask('GET', 'maps/demo')).json
  assert.ok(Math.abs(sample.pose.x_m - (length_m - 2.5)) < 1e-9, String(sample.pose.x_m))
  assert.ok(Math.abs(sample.pose.y_m - (width_m - 1)) < 1e-9)
  assert.ok(Math.abs(sample.pose.z_m) < 1e-9 && Math.abs(sample.pose.yaw_deg) < 1e-9)
})

test('without a map nobody knows where the red corner is: the sample is not used, and why is said', async (t) => {
  const { send, newest } = await withSource(t, { origin: 'red' })

  assert.deepEqual((await send({})).json, { accepted: false, reason: 'no_map', age_ms: 0 })
  assert.equal((await newest()).json.sample, null)
})

test('nonsense is refused by place, and nothing of it is kept', async (t) => {
  const { ask, send, newest } = await withSource(t)
  const turned = (w: number) => ({ x_m: 1, y_m: 1, z_m: 0, quaternion: { w, x: 0, y: 0, z: 0 } })
  const std = { x_m: 0.1, y_m: 0.1, z_m: 0.1, roll_deg: 1, pitch_deg: 1, yaw_deg: 1 }

  for (const w of [0, 0.5, -0.5]) assert.deepEqual(pointersOf(await send({ pose: turned(w) })), ['/pose/quaternion'])
  for (const x_m of [0, -0.1, 1e9])
    assert.deepEqual(pointersOf(await send({ std_devs: { ...std, x_m } })), ['/std_devs/x_m'])
  assert.deepEqual(pointersOf(await send({ pose: { ...pose, z_m: 21 } })), ['/pose/z_m'])
  assert.deepEqual(pointersOf(await send({ pose: { ...pose, x_m: -1001 } })), ['/pose/x_m'])
  assert.deepEqual(pointersOf(await send({ pose: { x_m: 1, y_m: 1, z_m: 0, yaw_deg: 3 } })), [
    '/pose/roll_deg',
    '/pose/pitch_deg',
  ])
  assert.deepEqual(pointersOf(await send({ pose: { ...turned(1), yaw_deg: 3 } })), ['/pose/yaw_deg'])
  assert.deepEqual(pointersOf(await send({ captured_us: 5 })), ['/captured_us'])
  assert.deepEqual(pointersOf(await ask('POST', SAMPLE, { output_key: 'pose', pose })), ['/age_us'])
  assert.deepEqual(pointersOf(await ask('POST', SAMPLE, { output_key: 'pose', age_us: 1 })), ['/pose'])
  assert.deepEqual(pointersOf(await send({ output_key: 'A B' })), ['/output_key'])
  assert.deepEqual(pointersOf(await send({ nonsense: 1 })), ['/nonsense'])
  assertProblem(await ask('POST', SAMPLE, '{"output_key": "pose", "pose": NaN}'), 'body.malformed')
  assertProblem(await ask('POST', SAMPLE, `"${'x'.repeat(17_000)}"`), 'body.too_large')
  assert.deepEqual([(await newest()).json.sample, (await newest()).json.stale], [null, false])
})

test('all zeros are what a program sends that knows no pose, unless it only tells motion', async (t) => {
  const { ask, send } = await withSource(t)
  const zeros = { x_m: 0, y_m: 0, z_m: 0, ...angles }

  const refused = await send({ pose: zeros })
  await ask('PUT', SOURCE, { ...declared, kind: 'relative', origin: 'own' })
  const begun = await send({ pose: zeros })

  assert.match(assertProblem(refused, 'localization.invalid').detail, /all zeros.*tracking: false/)
  assert.equal(begun.json.accepted, true)
})

test('what is too old or from the future is not used; repeats and older ones neither; all are counted', async (t) => {
  const { send, status } = await withSource(t)
  const reasonOf = async (sample: object) => {
    const { status: answered, json } = await send(sample)
    assert.equal(answered, 200)
    return json.reason
  }

  assert.equal(await reasonOf({ age_us: 3_000_000 }), 'too_old')
  assert.equal(await reasonOf({ age_us: -1_000_000 }), 'from_the_future')
  assert.equal(await reasonOf({ age_us: 5_000 }), null)
  assert.equal(await reasonOf({ age_us: 5_000 }), 'repeat')
  assert.equal(await reasonOf({ age_us: 9_000 }), 'older')
  assert.equal(await reasonOf({ tracking: false }), 'not_tracking')

  const { accepted, refused } = await status()
  assert.deepEqual([accepted, refused], [1, { too_old: 1, from_the_future: 1, repeat: 1, older: 1, not_tracking: 1 }])
})

test('a sample that is too old is never shown as if it were new', async (t) => {
  const { send, newest, advance } = await withSource(t, { max_age_ms: 200 })
  await send({})

  advance(199)
  const fresh = (await newest()).json
  advance(2)
  const stale = (await newest()).json
  await send({})
  const again = (await newest()).json

  assert.deepEqual([fresh.sample !== null, fresh.stale], [true, false])
  assert.deepEqual([stale.sample, stale.stale, Math.round(stale.age_ms)], [null, true, 201])
  assert.deepEqual([again.sample !== null, again.stale], [true, false])
})

test('a source that has lost its way is stale until it knows again', async (t) => {
  const { send, newest, advance } = await withSource(t)
  await send({})
  await send({ tracking: false })
  const lost = (await newest()).json
  advance(10)
  await send({})

  assert.deepEqual([lost.sample, lost.stale], [null, true])
  assert.equal((await newest()).json.stale, false)
})

test('times of the NT4 server are understood while there is a link to it', async (t) => {
  const { ask, fake, newest } = await withSource(t, { time_base: 'server_us' })
  const sample = (captured_us: number) => ask('POST', SAMPLE, { output_key: 'pose', captured_us, pose })
  const nowUs = fake.clock.monotonicUs()

  const without = (await sample(nowUs)).json
  const session = { serverOffsetUs: () => 7_000_000 } as Partial<Nt4Session> as Nt4Session
  fake.resolve(NT4_LINK).set(session)
  const linked = (await sample(nowUs + 7_000_000 - 20_000)).json
  const shown = (await newest()).json
  fake.resolve(NT4_LINK).set(undefined)

  assert.deepEqual(without, { accepted: false, reason: 'no_server_time', age_ms: null })
  assert.deepEqual(linked, { accepted: true, reason: null, age_ms: 20 })
  assert.equal(shown.sample.captured_us, nowUs - 20_000)
})

test('of 500 samples in a second the newest is shown, 200 or few more count, and the rest are counted', async (t) => {
  const { send, newest, status, measured, advance } = await withSource(t)

  for (let n = 1; n <= 500; n++) {
    assert.equal((await send({ pose: { ...pose, x_m: n / 100 } })).status, 200)
    advance(2)
  }

  const { accepted, skipped } = await status()
  assert.equal((await newest()).json.sample.pose.x_m, 5)
  assert.equal(accepted, 500)
  assert.equal(accepted - skipped, measured.length)
  assert.ok(measured.length >= 200 && measured.length <= 225, String(measured.length))
})

test('what is only to be shown is not given to the solve, and no claim is surer than the floor', async (t) => {
  const { ask, send, measured, advance } = await withSource(t)
  await send({ std_devs: { x_m: 0.001, y_m: 0.2, z_m: 0.001, roll_deg: 0.01, pitch_deg: 0.01, yaw_deg: 0.01 } })
  await ask('PUT', SOURCE, { ...declared, use: 'show' })
  advance(10)
  await send({})

  const RAD = Math.PI / 180
  assert.deepEqual(
    measured.map(({ std }) => std),
    [[0.005, 0.2, 0.005, 0.1 * RAD, 0.1 * RAD, 0.1 * RAD]],
  )
})

test('a source that is declared otherwise begins again', async (t) => {
  const { ask, send, newest } = await withSource(t)
  await send({})

  await ask('PUT', SOURCE, { ...declared, origin: 'centre' })

  assert.deepEqual([(await newest()).json.sample, (await newest()).json.age_ms], [null, null])
})

test('a source or an output that is not there is not found, and a key that cannot be one is malformed', async (t) => {
  const { ask, send } = await withSource(t)

  assertProblem(await ask('GET', 'external/nobody/outputs/pose'), 'external_source.not_found')
  assertProblem(await ask('GET', 'external/quest/outputs/other'), 'output.not_found')
  assertProblem(await ask('GET', 'external/quest/outputs/NO.KEY'), 'output_key.malformed')
  assertProblem(await send({ output_key: 'other' }), 'output.not_found')
  assertProblem(
    await ask('POST', 'external/sources/nobody/sample', { output_key: 'pose', pose }),
    'external_source.not_found',
  )
})

test('no more sources are declared than there is room for', async (t) => {
  const { ask } = await withSource(t)
  for (let n = 1; n < 16; n++) assert.equal((await ask('PUT', `external/sources/s${n}`, declared)).status, 200)

  assertProblem(await ask('PUT', 'external/sources/one-more', declared), 'document.too_many')
  assert.equal((await ask('GET', 'external/sources')).json.items.length, 16)
})

test('everybody hears when samples begin to come, and when they stop', async (t) => {
  const { send, fake, advance } = await withSource(t)
  const told: unknown[] = []
  t.after(
    fake.directory.events.subscribe(({ kind, data }) => {
      if (kind === 'external_output_changed') told.push(data)
    }),
  )

  await send({})
  await until('that it is fresh', () => told.length === 1)
  advance(2_000)
  await until('that it is stale', () => told.length === 2)

  assert.deepEqual(told, [{ stale: false }, { stale: true }])
})
