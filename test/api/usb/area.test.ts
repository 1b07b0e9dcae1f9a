// USB over HTTP: the tree, and the power of its ports.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { usbChanged, usbPowerChanged } from '../../../machines/usb/events.ts'
import { FakeCameras } from '../../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../../native/cameras/port.ts'
import { FakeUsb } from '../../../native/usb/fake.ts'
import { USB } from '../../../native/usb/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { askerOf } from '../../support/api/ask.ts'
import { until } from '../../support/until.ts'

const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const

/** A device with one camera in port 1, which the stream front has. */
const usbApi = async (t: TestContext) => {
  const usb = new FakeUsb()
  const cameras = new FakeCameras()
  usb.plug({ path: '1-1', product: 'HD Cam' })
  cameras.plug({ number: 0, port: '1', bus: 1 })
  const { app, fake } = await fakeApi(t, {}, { ports: [value(USB, usb), value(CAMERAS_PORT, cameras)] })
  const events: string[] = []
  fake.directory.events.subscribe(({ kind }) => {
    if (kind === usbChanged.kind || kind === usbPowerChanged.kind) events.push(kind)
  })
  const ask = askerOf({ app })
  const tree = () => ask('GET', '/v1/peripherals/usb')
  await until('the first look', tree, ({ status }) => status === 200)
  return { usb, cameras, fake, ask, tree, events }
}

const withStream = async (t: TestContext) => {
  const api = await usbApi(t)
  const { body } = await until(
    'the camera',
    () => api.tree(),
    (now) => now.body.devices.some((each: { cameras: unknown[] }) => each.cameras.length > 0),
  )
  const found = body.devices.find(({ path }: { path: string }) => path === '1-1')
  const { camera_uid } = found.cameras[0]
  await api.fake.addStream({ id: 'front', source: { backend: 'v4l2', camera_uid, ...mode } })
  api.fake.engine('front').showFrame()
  await api.fake.state('front', 'live')
  return api
}

test('the tree says which camera hangs where, who shares its bus, and how its power is switched', async (t) => {
  const { tree } = await withStream(t)

  const { body } = await tree()

  const found = body.devices.find(({ path }: { path: string }) => path === '1-1')
  assert.deepEqual(
    [found.parent, found.kind, found.drivers, found.power_switch, found.cameras[0].stream_id],
    ['usb1', 'camera', ['uvcvideo'], 'usb1', 'front'],
  )
  const [bus] = body.buses
  assert.deepEqual([bus.bus, bus.shared_by, bus.stream_ids], [1, ['1-1'], ['front']])
})

test('what is plugged in is told, and shown without being asked again', async (t) => {
  const { usb, tree, events } = await usbApi(t)

  usb.plug({ path: '3-2', product: 'Rear' })
  const { body } = await until('the new device', tree, (now) =>
    now.body.devices.some(({ path }: { path: string }) => path === '3-2'),
  )

  assert.ok(body)
  assert.deepEqual(events, [usbChanged.kind])
})

test('a port whose stream gives pictures is cycled only with force, and the camera is back then', async (t) => {
  const { ask, usb, events } = await withStream(t)
  const power = () => ask('GET', '/v1/device/usb-power')
  const before = (await power()).body.switches.find(({ id }: { id: string }) => id === 'usb1')
  assert.deepEqual([before.granularity, before.state, before.stream_ids], ['gang', 'on', ['front']])
  assert.deepEqual(before.needs_force, ['the camera of the stream front hangs on it, and gives pictures'])

  const refused = await ask('POST', '/v1/device/usb-power', { switch_id: 'usb1', action: 'cycle' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'usb.in_use'])
  assert.match(refused.body.detail, /the stream front hangs on it, and gives pictures\. Send "force": true/)
  assert.deepEqual(usb.orders, [])

  const done = await ask('POST', '/v1/device/usb-power', { switch_id: 'usb1', action: 'cycle', force: true })
  assert.equal(done.status, 204)
  const after = (await power()).body.switches.find(({ id }: { id: string }) => id === 'usb1')
  assert.deepEqual([after.state, after.last.action, after.last.done], ['on', 'cycle', true])
  assert.ok(events.filter((kind) => kind === usbPowerChanged.kind).length >= 2)
})

test('a disk that was unmounted since the last look speaks against nothing any more', async (t) => {
  const { usb, ask } = await usbApi(t)
  usb.disks.push({ kind: 'disk', name: 'sda', device: '1-1', mounts: ['/media/stick'], holds_data: false })
  usb.plug({ path: '3-1', product: 'Rear' })
  await until(
    'a look',
    () => ask('GET', '/v1/device/usb-power'),
    ({ body }) => body.switches.some((each: { needs_force: unknown[] }) => each.needs_force.length > 0),
  )
  const off = { switch_id: 'usb1', action: 'off' }
  const refused = await ask('POST', '/v1/device/usb-power', off)
  assert.deepEqual([refused.status, refused.body.code], [409, 'usb.in_use'])

  usb.disks.length = 0

  assert.equal((await ask('POST', '/v1/device/usb-power', off)).status, 204)
})

test('what cannot be switched, and what does not come back, is said', async (t) => {
  const { ask, usb } = await usbApi(t)
  const order = (switch_id: string, action: string) => ask('POST', '/v1/device/usb-power', { switch_id, action })

  const unknown = await order('usb9', 'off')
  assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/switch_id'])
  assert.equal((await order('usb1', 'explode')).status, 400)

  usb.powerFault = { code: 'device.failed', detail: 'the hub does not take the order (EIO)' }
  const failed = await order('usb1', 'off')
  assert.deepEqual([failed.status, failed.body.detail], [502, 'the hub does not take the order (EIO)'])
})

test('ports that an earlier run has left off are switched on by the next start', async (t) => {
  const usb = new FakeUsb()
  usb.left = 2

  const { fake } = await fakeApi(t, {}, { ports: [value(USB, usb)] })

  await until('the log', () => fake.lines.some(([, line]) => line.startsWith('2 USB ports that an earlier run')))
  assert.equal(usb.left, 0)
})
