// Tier 1: a real engine process with an emulated camera that does what cameras do on a bad day. Each is told by its
// fault, and the engine lives.
import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { header } from '../../../../machines/engine/result.ts'
import { type EmulatedCamera, emulatedUsb } from '../../../support/cameras/v4l2/cameras.ts'
import { engineBesideCamera } from '../../../support/cameras/v4l2/engine.ts'
import { cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { cameraTask, type EngineProbe, startEngine } from '../../../support/engine/engine-task.ts'
import { until } from '../../../support/until.ts'

const { ENOSPC, EBUSY, EIO, EACCES } = constants.errno

/** The fault with which an opening fails. */
const faultOf = (probe: EngineProbe, camera: EmulatedCamera, changes = {}) =>
  Effect.runPromise(Effect.flip(probe.engine.open(cameraTask(camera, changes))))

test('a camera that is pulled out is lost at once, and found again under another number', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  await probe.openCamera(camera)
  await probe.nextResult()

  const lost = probe.nextEvent('lost')
  camera.unplug()
  const event = await lost
  const missing = await faultOf(probe, camera)
  camera.plug({ number: 6 })
  await probe.openCamera(camera)
  await probe.nextResult()

  assert.equal(event.type === 'lost' && event.fault.code, 'camera.lost')
  assert.equal(missing.code, 'camera.missing')
  assert.match(camera.device, /video6$/)
})

test('a camera that stops giving pictures keeps neither the engine from answering nor from ending', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  await probe.openCamera(camera)
  await probe.nextResult()

  camera.state.set('is_hung', 1)
  await Effect.runPromise(probe.engine.ping)
  const controls = await Effect.runPromise(probe.engine.controls)
  await probe.release()

  assert.ok(controls.length > 0)
  assert.deepEqual(
    probe.events.filter(({ type }) => type === 'exited' || type === 'lost'),
    [],
  )
})

for (const [what, field, errno, code] of [
  ['there is no room on the bus', 'stream_on_error', ENOSPC, 'camera.no_bandwidth'],
  ['another program has the camera', 'request_buffers_error', EBUSY, 'camera.busy'],
  ['another program has set its mode', 'set_format_error', EBUSY, 'camera.busy'],
  ['it may not be opened', 'open_error', EACCES, 'camera.unreadable'],
  ['it fails at its start', 'stream_on_error', EIO, 'camera.unreadable'],
] as const) {
  test(`opening fails with ${code} when ${what}, and works when that is over`, async (t) => {
    const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)

    camera.state.set(field, errno)
    const fault = await faultOf(probe, camera)
    camera.state.set(field, 0)
    await probe.openCamera(camera)

    assert.equal(fault.code, code)
    assert.match(fault.detail, /video0/)
  })
}

test('of two engines that want a camera the second is told that it is busy', async (t) => {
  const usb = emulatedUsb(t)
  usb.useHere(t)
  const camera = usb.plug(cameraModels.webCamera)
  const [one, other] = [await startEngine(t), await startEngine(t)]

  await one.openCamera(camera)
  const refused = await faultOf(other, camera)
  await one.release()
  await other.openCamera(camera)

  assert.equal(refused.code, 'camera.busy')
})

test('a mode that the camera does not have is refused, with those that it has', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)

  const size = await faultOf(probe, camera, { width_px: 1920, height_px: 1080 })
  const format = await faultOf(probe, camera, { pixel_format: 'grey' })
  const opened = await probe.openCamera(camera, { fps: 25 })
  const warned = probe.events.find(({ type }) => type === 'warned') ?? (await probe.nextEvent('warned'))

  assert.deepEqual([size.code, format.code], ['camera.mode', 'camera.mode'])
  assert.match(size.detail, /mjpeg 1920x1080.*it has mjpeg 1280x720 \(30\), mjpeg 640x480 \(30, 15\), yuyv 640x480/)
  assert.equal(opened.fps, 30)
  assert.equal(warned.type === 'warned' && warned.fault.code, 'camera.mode')
})

test('the node of the metadata of a camera gives no pictures, and says so', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)

  const fault = await faultOf(probe, camera, { device: camera.device.replace(/video0$/, 'video1') })

  assert.equal(fault.code, 'camera.unreadable')
})

for (const [what, spoil] of [
  ['cut short', 'short_pictures'],
  ['marked as damaged', 'damaged_pictures'],
  ['lost on the way', 'lost_pictures'],
] as const) {
  for (const pixel_format of ['mjpeg', 'yuyv'] as const) {
    test(`pictures in ${pixel_format} that are ${what} are skipped and counted; the next is whole`, async (t) => {
      const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
      camera.paceByHand()
      await probe.openCamera(camera, { pixel_format })
      const first = probe.nextResult()
      camera.take(1)
      const before = await first

      camera.state.set(spoil, 3)
      const next = probe.nextResult()
      camera.take(4)
      const after = await next

      assert.equal(header(after, 'seq') - header(before, 'seq'), 4)
      assert.equal(header(after, 'skipped') - header(before, 'skipped'), 3)
      if (spoil === 'lost_pictures') return
      // Results and what an engine tells come by two ways.
      await until('a warning', () =>
        probe.events.some((event) => event.type === 'warned' && event.fault.code === 'picture.corrupt'),
      )
    })
  }
}

test('a picture that a failure of the bus only put off is not counted as missed', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  camera.paceByHand()
  await probe.openCamera(camera)
  const first = probe.nextResult()
  camera.take(1)
  const before = await first

  camera.state.set('dequeue_error', EIO)
  camera.state.set('dequeue_errors', 3)
  const next = probe.nextResult()
  camera.take(1)
  const after = await next

  assert.equal(header(after, 'seq') - header(before, 'seq'), 1)
  assert.equal(header(after, 'skipped') - header(before, 'skipped'), 0)
})

test('a few failures of the bus are passed over, a camera that does nothing else is lost', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  await probe.openCamera(camera)
  camera.state.set('dequeue_error', EIO)

  camera.state.set('dequeue_errors', 5)
  await until('the end of the failures', () => camera.state.get('dequeue_errors') === 0)
  await probe.nextResult()
  const lost = probe.nextEvent('lost')
  camera.state.set('dequeue_errors', 1000)
  const event = await lost

  assert.equal(event.type === 'lost' && event.fault.code, 'camera.lost')
})
