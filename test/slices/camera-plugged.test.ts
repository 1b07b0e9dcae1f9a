// The story of a camera, with the whole service over real sockets and an emulated USB (tier 1): plugged in, listed,
// started by its name, pulled out, put back under another device file, and live again.
import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { test } from 'node:test'
import type { Camera } from '../../api/cameras/wire.ts'
import { isJpeg } from '../support/api/preview.ts'
import { emulatedUsb } from '../support/cameras/v4l2/cameras.ts'
import { cameraModels } from '../support/cameras/v4l2/models.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const camerasOf = async (daemon: Daemon) => (await daemon.get<{ items: Camera[] }>('/v1/peripherals/cameras')).items

/** The first camera, as soon as it is as it should be. */
const camera = (daemon: Daemon, what: string, isGood: (camera: Camera) => unknown) =>
  until(
    what,
    () => camerasOf(daemon),
    ([first]) => first && isGood(first),
  ).then(([first]) => first as Camera)

test('a camera is plugged in, started by its name, pulled out and put back under another device file', async (t) => {
  const usb = emulatedUsb(t)
  const daemon = await site(t, undefined, usb.environment).start()
  assert.deepEqual(await camerasOf(daemon), [])

  const unit = usb.plug(cameraModels.webCamera)
  const { camera_uid, best_mode, device } = await camera(daemon, 'the camera', ({ best_mode }) => best_mode)
  assert.equal(device, unit.device)

  const { status } = await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid })
  assert.equal(status, 200)
  const { spec } = await daemon.stream('front', 'live')
  assert.deepEqual(spec.source, { backend: 'v4l2', camera_uid, ...best_mode })
  assert.ok(isJpeg(await daemon.picture('front')))

  unit.unplug()
  const gone = await daemon.stream('front', 'backing-off')
  assert.ok(['camera.lost', 'camera.missing'].includes(gone.status.fault?.code ?? ''), gone.status.fault?.code)
  await camera(daemon, 'its absence', ({ present }) => !present)
  const { frames } = await daemon.metrics('front')

  unit.plug({ number: 8 })
  const pluggedMs = performance.now()
  await until(
    'a new frame',
    () => daemon.metrics('front'),
    (now) => now.frames > frames,
  )
  const backMs = performance.now() - pluggedMs
  t.diagnostic(`first new frame ${backMs.toFixed(0)} ms after the camera was put back`)
  await daemon.stream('front', 'live')

  const back = await camera(daemon, 'its return', ({ present }) => present)
  assert.deepEqual([back.camera_uid, back.device, back.stream_id], [camera_uid, unit.device, 'front'])
  assert.match(unit.device, /video8$/)
  const { detail } = await daemon.error('camera.recovered', 'streams/front')
  t.diagnostic(detail)
  assert.match(detail, /opened \S+video8 after/)
})

test('a camera that hangs is opened again until it gives pictures', async (t) => {
  const usb = emulatedUsb(t)
  const unit = usb.plug(cameraModels.webCamera)
  const daemon = await site(t, undefined, usb.environment).start()
  const { camera_uid } = await camera(daemon, 'the camera', ({ best_mode }) => best_mode)
  await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid })
  await daemon.stream('front', 'live')

  unit.state.set('is_hung', 1)
  await daemon.error('camera.silent', 'streams/front')
  unit.state.set('is_hung', 0)

  await daemon.stream('front', 'live')
  const { detail } = await daemon.error('camera.recovered', 'streams/front')
  assert.match(detail, /after camera\.silent: opened \S+video0 after/)
})

test('a camera without room on its bus says who shares that, and in which mode it should fit', async (t) => {
  const usb = emulatedUsb(t)
  const [, second] = [usb.plug(cameraModels.webCamera), usb.plug(cameraModels.webCamera)]
  second.state.set('stream_on_error', constants.errno.ENOSPC)
  const daemon = await site(t, undefined, usb.environment).start()
  const [front, rear] = await until(
    'two cameras',
    () => camerasOf(daemon),
    ({ length }) => length === 2,
  )
  await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid: front?.camera_uid })
  await daemon.stream('front', 'live')

  await daemon.send('POST', '/v1/streams', { id: 'rear', camera_uid: rear?.camera_uid })
  const { status } = await daemon.stream('rear', 'backing-off')

  assert.equal(status.fault?.code, 'camera.no_bandwidth')
  assert.match(status.fault?.detail ?? '', /Its USB bus is shared with front \(.*\)\. .* should fit; else plug it into/)
})

test('after a restart two cameras of one model have their names by their ports, not device files', async (t) => {
  const usb = emulatedUsb(t)
  const place = site(t, undefined, usb.environment)
  const units = [usb.plug(cameraModels.webCamera), usb.plug(cameraModels.webCamera)]
  const namesByPort = async (daemon: Daemon) => {
    const cameras = await until(
      'two cameras',
      () => camerasOf(daemon),
      (all) => all.length === 2 && all.every(({ present }) => present),
    )
    return Object.fromEntries(cameras.map(({ usb: plug, camera_uid }) => [plug?.port, camera_uid]))
  }
  const first = await place.start()
  const before = await namesByPort(first)
  await first.end('SIGTERM')

  for (const unit of units) unit.unplug()
  units[0]?.plug({ number: 2 })
  units[1]?.plug({ number: 0 })
  const after = await namesByPort(await place.start())

  assert.deepEqual(after, before)
  assert.equal(new Set(Object.values(after)).size, 2)
})
