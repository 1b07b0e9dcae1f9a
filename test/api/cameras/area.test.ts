// Cameras as a client sees them: plugged in, listed, started by name, pulled out, found again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Camera } from '../../../api/cameras/wire.ts'
import type { StreamView } from '../../../api/stream/wire.ts'
import { FakeCameras } from '../../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../../native/cameras/port.ts'
import type { V4l2Task } from '../../../native/engine/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

/** A service with such cameras plugged in. */
const withCameras = async (t: TestContext, port = new FakeCameras()) => {
  const { app, fake } = await fakeApi(t, {}, { ports: [value(CAMERAS_PORT, port)] })
  const ask = async <Body = Record<string, never>>(method: 'GET' | 'POST', url: string, body?: object) => {
    const response = await app.inject({ method, url, headers: { host: 'localhost' }, ...(body && { payload: body }) })
    return {
      status: response.statusCode,
      body: (response.body ? response.json() : undefined) as Body,
      answered: {
        status: response.statusCode,
        body: response.body,
        contentType: response.headers['content-type'] as string,
      },
    }
  }
  const list = async () => (await ask<{ items: Camera[] }>('GET', '/v1/peripherals/cameras')).body.items
  const listed = (what: string, isGood: (cameras: readonly Camera[]) => unknown) => until(what, list, isGood)
  const one = async () => {
    const [camera] = await listed('a camera', (cameras) => cameras.length === 1)
    return camera as Camera
  }
  const start = (manifest: object) => ask<StreamView>('POST', '/v1/streams', manifest)
  return { port, fake, ask, list, listed, one, start }
}

test('a camera that is plugged in is listed with its best mode, and started by its name alone', async (t) => {
  const { port, fake, one, start } = await withCameras(t)
  port.plug({ number: 2 })

  const camera = await one()
  assert.deepEqual([camera.present, camera.device, camera.stream_id, camera.trouble], [true, '/dev/video2', null, null])
  assert.deepEqual(camera.best_mode, { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 })

  const { status, body } = await start({ id: 'front', camera_uid: camera.camera_uid })
  assert.equal(status, 200)
  assert.deepEqual(body.spec.source, { backend: 'v4l2', camera_uid: camera.camera_uid, ...camera.best_mode })
  const opened = await until('the opening', () => fake.engine('front')?.task?.source as V4l2Task)
  assert.deepEqual(opened, { backend: 'v4l2', ...camera.best_mode, device: '/dev/video2', controls: [] })
  assert.equal((await one()).stream_id, 'front')
})

test('a camera keeps its name when it is pulled out and comes back under another device file', async (t) => {
  const { port, one, listed } = await withCameras(t)
  const device = port.plug({ number: 0 })
  const { camera_uid } = await one()

  port.unplug(device)
  const [away] = await listed('its absence', ([camera]) => camera?.present === false)
  assert.match(away?.trouble ?? '', /It is not plugged in\. It was last found as \/dev\/video0/)

  port.plug({ number: 4 })
  const [back] = await listed('its return', ([camera]) => camera?.present)
  assert.deepEqual([back?.camera_uid, back?.device, back?.trouble], [camera_uid, '/dev/video4', null])
})

test('a camera in a new port is offered, and is the one of the stream when its user says so', async (t) => {
  const { port, ask, one, list, listed, start } = await withCameras(t)
  const device = port.plug({ number: 0, port: '1' })
  const { camera_uid } = await one()
  await start({ id: 'front', camera_uid })

  port.unplug(device)
  port.plug({ number: 0, port: '2' })
  const cameras = await listed('the newcomer', (all) => all.length === 2)
  const newcomer = cameras.find(({ present }) => present) as Camera
  assert.notEqual(newcomer.camera_uid, camera_uid)
  assert.deepEqual(newcomer.candidates, [{ camera_uid, name: 'Acme HD Cam', stream_id: 'front' }])

  const assigned = await ask('POST', '/v1/streams/front/assign', { camera_uid: newcomer.camera_uid })

  assert.equal(assigned.status, 204, assigned.answered.body)
  const now = (await list()).find(({ present }) => present)
  assert.deepEqual([now?.camera_uid, now?.stream_id, now?.candidates], [camera_uid, 'front', []])
})

test('another camera takes over a role when its user says so, and the mode stays where it has that too', async (t) => {
  const { port, ask, one, listed, start } = await withCameras(t)
  const device = port.plug({ number: 0, port: '1' })
  const { camera_uid } = await one()
  await start({ id: 'front', source: { backend: 'v4l2', camera_uid, pixel_format: 'yuyv' } })
  port.unplug(device)
  port.plug({ number: 0, port: '2' })
  const [newcomer] = await listed('the newcomer', (all) => all.length === 2)

  const order = { device: '/dev/video0', same_unit: false }
  assert.equal((await ask('POST', '/v1/streams/front/assign', order)).status, 204)

  const { body } = await ask<StreamView>('GET', '/v1/streams/front')
  assert.deepEqual(body.spec.source, {
    backend: 'v4l2',
    camera_uid: newcomer?.camera_uid,
    pixel_format: 'yuyv',
    width_px: 640,
    height_px: 480,
    fps: 30,
  })
})

test('a camera whose pictures have no room for the crop of a stream is not given to it', async (t) => {
  const { port, ask, one, listed, start } = await withCameras(t)
  const device = port.plug({ number: 0, port: '1' })
  const { camera_uid } = await one()
  const crop = { x_px: 600, y_px: 300, width_px: 640, height_px: 400 }
  await start({ id: 'front', camera_uid, crop })
  port.unplug(device)
  port.plug({ number: 0, port: '2', modes: [{ pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: [30] }] })
  await listed('the newcomer', (all) => all.length === 2)
  const order = { device: '/dev/video0', same_unit: false }

  const refused = await ask('POST', '/v1/streams/front/assign', order)
  await ask('POST', '/v1/streams/front/crop', { x: 0, y: 0, width: 1, height: 1 })
  const taken = await ask('POST', '/v1/streams/front/assign', order)

  const { detail } = assertProblem(refused.answered, 'manifest.invalid')
  assert.match(detail, /640x400 at \(600, 300\), does not lie in the pictures.*640x480 pixels.*take it off/)
  assert.equal(taken.status, 204)
})

test('a camera has one stream: another that wants it hears which one has it', async (t) => {
  const { port, ask, one, start } = await withCameras(t)
  port.plug({ number: 0 })
  const { camera_uid } = await one()
  await start({ id: 'front', camera_uid })
  await start({ id: 'rear', source: { backend: 'synthetic' } })

  const second = await start({ camera_uid })
  assert.match(assertProblem(second.answered, 'camera.in_use').detail, /front/)
  const assigned = await ask('POST', '/v1/streams/rear/assign', { camera_uid })
  assertProblem(assigned.answered, 'camera.in_use')
  const stranger = await ask('POST', '/v1/streams/rear/assign', { camera_uid: 'cam-aaaaaaaa' })
  assertProblem(stranger.answered, 'camera.not_found')
  assertProblem((await ask('POST', '/v1/streams/rear/assign', {})).answered, 'body.invalid')
  assert.equal((await ask('POST', '/v1/streams/front/assign', { camera_uid })).status, 204, 'its own camera')
})

test('what is wrong with a camera is said with it, and it is asked again until it answers', async (t) => {
  const { port, listed, ask } = await withCameras(t)
  port.plug({ number: 0, answer: { ok: false, errno: 16, detail: 'the device is busy' } })
  const [busy] = await listed('the camera', (all) => all.length === 1)
  assert.match(busy?.trouble ?? '', /\/dev\/video0 does not answer as a camera: the device is busy/)

  await until('another question', () => port.asked.length > 1)
  const { body } = await ask<{ backends: { backend: string; devices: { trouble: string | null }[] }[] }>(
    'GET',
    '/v1/streams/backends',
  )
  const [v4l2] = body.backends
  assert.deepEqual([v4l2?.backend, v4l2?.devices.length], ['v4l2', 1])
  assert.equal(v4l2?.devices[0]?.trouble, busy?.trouble)
})

test('a system that does not say which cameras there are is a fault of the device', async (t) => {
  const port = new FakeCameras()
  port.fault = { code: 'device.failed', detail: 'the cameras of this device cannot be listed: EACCES' }
  const { ask } = await withCameras(t, port)

  const answered = await until(
    'the fault',
    () => ask('GET', '/v1/peripherals/cameras'),
    ({ status }) => status !== 200,
  )
  assertProblem(answered.answered, 'device.failed')
})

test('a camera that another program uses is free as soon as that closes it, without a new plug', async (t) => {
  const { port, ask, listed } = await withCameras(t)
  const busyBy = async () => {
    const { body } = await ask<{ backends: { devices: { busy_by: string | null }[] }[] }>('GET', '/v1/streams/backends')
    return body.backends[0]?.devices[0]?.busy_by
  }
  const device = port.plug({ number: 0 })
  port.use(device, true)
  const [taken] = await listed('the camera', (all) => all.length === 1)
  assert.equal(taken?.trouble, 'Another program takes pictures from /dev/video0; end it to use the camera here.')
  assert.equal(await busyBy(), 'another program')

  port.use(device, false)
  port.plug({ number: 2, port: '2' }) // whatever makes it look again
  const [free] = await listed('the end of that', ([first, second]) => first?.trouble === null && second)

  assert.equal(free?.best_mode?.width_px, 1280)
  assert.equal(await busyBy(), null)
  const askedOf = (name: string) => port.asked.filter((each) => each === name).length
  assert.deepEqual([askedOf('/dev/video0'), askedOf('/dev/video2')], [2, 1])
})
