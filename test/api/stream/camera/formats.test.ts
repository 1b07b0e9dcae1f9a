// Measuring the camera of a stream, which is held meanwhile: whatever ends that, the stream goes on.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CAMERAS } from '../../../../actors/cameras/tokens.ts'
import { ROBOT_ENABLED } from '../../../../actors/nt4/tokens.ts'
import type { StreamRuntime } from '../../../../actors/stream/stream-runtime.ts'
import { NO_LIMIT } from '../../../../machines/guard/levels.ts'
import { FakeCameras } from '../../../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../../../native/cameras/port.ts'
import { systemClock } from '../../../../native/clock/system.ts'
import { fakeEngines } from '../../../../native/engine/fake/fake.ts'
import { ENGINES } from '../../../../native/engine/port.ts'
import { value } from '../../../../supervisors/composition/container.ts'
import { fakeApi } from '../../../support/api/api.ts'
import { askerOf } from '../../../support/api/ask.ts'
import { Gate, gated } from '../../../support/engine/gates.ts'
import { until } from '../../../support/until.ts'

const BENCH = 'format bench' // as its engines are named
const mode = { pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: 30 } as const

/** A service with a camera, which the live stream `front` has. */
const liveCamera = async (t: TestContext) => {
  const [cameras, ends] = [new FakeCameras(), new Gate()]
  t.after(() => ends.open())
  cameras.plug({ number: 0 })
  const engines = fakeEngines({ nowUs: systemClock.monotonicUs })
  const ports = [value(CAMERAS_PORT, cameras), value(ENGINES, gated(engines, new Gate(), ends))]
  const { app, fake } = await fakeApi(t, {}, { engines, ports })
  const ask = askerOf({ app })
  const camera_uid = await until('the camera', () => fake.resolve(CAMERAS).units[0]?.camera_uid)
  const source = { backend: 'v4l2', camera_uid: camera_uid as string, ...mode } as const
  await fake.put({ id: 'front', source })
  await fake.state('front', 'live')
  const has = (name: string) => engines.alive.some((engine) => engine.name === name)
  return {
    fake,
    ask,
    ends,
    source,
    stream: fake.streams.get('front') as StreamRuntime,
    enabled: fake.resolve(ROBOT_ENABLED),
    has,
    /** For longer than a test takes, if nothing is said. */
    order: (body: object = { hold_stream: true }) =>
      ask('POST', '/v1/streams/bench/formats', { camera_uid, duration_ms: 10_000, ...body }),
    measuring: () => until('the engine that measures', () => has(BENCH)),
    ended: (id: string) =>
      until(
        'the end of the job',
        async () => (await ask('GET', `/v1/jobs/${id}`)).body,
        ({ state }) => state !== 'queued' && state !== 'running',
      ),
  }
}

test('a stream is held while its camera is measured, and goes on when that is done; nothing is stored', async (t) => {
  const { order, measuring, ended, fake, has, stream } = await liveCamera(t)
  const before = stream.stored

  const { status, body } = await order({ hold_stream: true, modes: [mode], duration_ms: 200 })
  await measuring()
  const held = stream.status()
  const hadEngine = has('front')
  const job = await ended(body.id)
  await fake.state('front', 'live')

  assert.equal(status, 200)
  assert.deepEqual([held.state, held.fault?.code, hadEngine], ['paused', 'camera.held', false])
  assert.equal(job.state, 'done', job.fault?.detail)
  assert.equal(stream.stored, before)
})

test('a job that is cancelled gives the stream its camera back', async (t) => {
  const { order, measuring, ended, ask, fake, has } = await liveCamera(t)
  const { body } = await order()
  await measuring()

  await ask('DELETE', `/v1/jobs/${body.id}`)

  assert.equal((await ended(body.id)).state, 'cancelled')
  await fake.state('front', 'live')
  assert.equal(has(BENCH), false)
})

test('nothing is measured before the stream has let go of the camera', async (t) => {
  const { order, measuring, stream, ends, has } = await liveCamera(t)
  ends.close()

  await order()
  await until('the hold', () => stream.isHeld)
  await until('the end of its engine, of which nobody knows yet', () => !has('front'))
  assert.equal(has(BENCH), false)

  ends.open()
  await measuring()
})

test('who does not say that a stream may be held is refused, and told how', async (t) => {
  const { order, stream } = await liveCamera(t)

  const { status, body } = await order({})

  assert.deepEqual([status, body.code], [409, 'camera.in_use'])
  assert.match(body.detail, /the stream front has the camera; send "hold_stream": true/)
  assert.equal(stream.isHeld, false)
})

test('no stream is held while the robot is enabled, and one that is held is given back when it is', async (t) => {
  const { order, measuring, ended, enabled, fake } = await liveCamera(t)
  enabled.set(true)
  const refused = await order()
  enabled.set(false)
  const { body } = await order()
  await measuring()

  enabled.set(true)

  const job = await ended(body.id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'camera.robot_enabled'])
  assert.deepEqual([job.state, job.fault.code], ['failed', 'camera.robot_enabled'])
  await fake.state('front', 'live')
})

test('a stream that is being recorded is not held', async (t) => {
  const { order, ask, stream } = await liveCamera(t)
  await ask('POST', '/v1/streams/front/recording/start', {})

  const { status, body } = await order()

  assert.deepEqual([status, body.code], [409, 'camera.in_use'])
  assert.match(body.detail, /front, which has the camera, is being recorded; end the recording first/)
  assert.equal(stream.isHeld, false)
})

test('what the guard has paused stays so after the hold', async (t) => {
  const { order, measuring, ask, ended, stream, has, fake } = await liveCamera(t)
  const { body } = await order()
  await measuring()
  stream.guard.set({ limit: { ...NO_LIMIT, is_paused: true }, status: null })
  assert.equal(stream.status().fault?.code, 'camera.held')

  await ask('DELETE', `/v1/jobs/${body.id}`)
  await ended(body.id)

  assert.deepEqual([stream.status().state, stream.status().fault?.code], ['paused', 'guard.paused'])
  assert.equal(has('front'), false)
  stream.guard.set()
  await fake.state('front', 'live')
})

test('a hold is of the camera: whoever is given it waits, and whoever is given another source does not', async (t) => {
  const { order, measuring, ask, ended, fake, source, stream, has } = await liveCamera(t)
  const { body } = await order()
  await measuring()

  await fake.put({ id: 'front', source: { backend: 'images', path: '/pictures', fps: 100 } })
  await fake.state('front', 'live')
  await fake.put({ id: 'rear', source })
  assert.equal(stream.isHeld, false)
  assert.equal(fake.status('rear')?.fault?.code, 'camera.held')
  await fake.drop('rear')
  await fake.put({ id: 'side', source })
  assert.equal(fake.status('side')?.state, 'paused')
  assert.equal(has(BENCH), true)

  await ask('DELETE', `/v1/jobs/${body.id}`)
  await ended(body.id)

  await fake.state('side', 'live')
})
