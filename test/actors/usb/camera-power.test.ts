// What a stream may have done with the port of its camera, without anybody being asked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { cameraPower } from '../../../actors/usb/camera-power.ts'
import { usbActor } from '../../../actors/usb/usb-actor.ts'
import { UsbDevices } from '../../../actors/usb/usb-devices.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { FakeUsb } from '../../../native/usb/fake.ts'
import { faultOf } from '../../support/processes/documents.ts'
import { until } from '../../support/until.ts'

/** A device with a camera in each of the first two ports, which are switched together. */
const world = async (t: { after: (end: () => void) => void }) => {
  const usb = new FakeUsb()
  const live = new Set<string>()
  for (const path of ['1-1', '1-2']) usb.plug({ path })
  const camera = (path: string, uid: string) => ({
    node: { device: `/dev/${uid}`, usb: { folder: `/sys/devices/${path}` } },
    unit: { camera_uid: uid, name: uid },
  })
  const stream = (id: string, uid: string) => ({
    id,
    manifest: { source: { backend: 'v4l2', camera_uid: uid } },
    status: () => ({ state: live.has(id) ? 'live' : 'backing-off' }),
  })
  const devices = new UsbDevices({
    cameras: { recognised: { present: [camera('1-1', 'one'), camera('1-2', 'two')], newcomers: [], absent: [] } },
    streams: { all: () => [stream('front', 'one'), stream('rear', 'two')] },
  } as never)
  const times = { off: 0, betweenLooks: 0, looksToGo: 2, looksToReturn: 2 }
  const events = { publish: () => {} } as never
  const actor = createActor(usbActor({ usb, devices, events, nowMs: () => 0, log: () => {}, times })).start()
  t.after(() => actor.stop())
  await until('the first look', () => devices.hasLooked)
  const clock = new FakeClock()
  const power = cameraPower({ devices, directory: { actor: () => actor } as never, clock })
  const cycle = power.cycle({ folder: '/sys/devices/1-1', stream_id: 'front' })
  return { usb, live, clock, power, cycle }
}

test('a port on which nothing else works is switched, and not again within ten minutes', async (t) => {
  const { usb, clock, cycle } = await world(t)

  await Effect.runPromise(cycle)
  const orders = usb.orders.length
  clock.advanceMs(9 * 60_000)
  const { detail } = await Effect.runPromise(faultOf(cycle))
  assert.equal(detail, 'that was done 9 minutes ago already')
  assert.equal(usb.orders.length, orders)
  clock.advanceMs(60_000)
  await Effect.runPromise(cycle)

  assert.equal(usb.orders.filter((order) => order === 'usb1-port1 off').length, 2)
})

test('a port is left alone while another stream gives pictures on the same gang, or a disk is in use', async (t) => {
  const { usb, live, cycle } = await world(t)

  live.add('rear')
  const { detail } = await Effect.runPromise(faultOf(cycle))

  assert.equal(detail, 'the camera of the stream rear hangs on it, and gives pictures')
  assert.deepEqual(usb.orders, [])
})

test('a camera that went away is known by its port; where nothing can switch, that is said', async (t) => {
  const { usb, cycle, power } = await world(t)
  usb.unplug('1-1')

  await Effect.runPromise(cycle)
  const lone = power.cycle({ folder: '/sys/devices/platform/csi', stream_id: 'front' })

  assert.ok(usb.orders.includes('usb1-port1 off'))
  assert.equal((await Effect.runPromise(faultOf(lone))).detail, 'nothing can switch the power of its port')
})
