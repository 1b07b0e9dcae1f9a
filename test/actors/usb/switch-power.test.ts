// Switching the power of ports: what came of it is seen in the tree of devices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { switchPower } from '../../../actors/usb/switch-power.ts'
import { UsbDevices } from '../../../actors/usb/usb-devices.ts'
import type { UsbPowerAction } from '../../../machines/usb/usb-power.ts'
import { FakeUsb } from '../../../native/usb/fake.ts'
import { faultOf } from '../../support/processes/documents.ts'

const times = { off: 0, betweenLooks: 0, looksToGo: 2, looksToReturn: 2 }

/** A device with a camera on each controller. */
const world = async () => {
  const usb = new FakeUsb()
  usb.plug({ path: '1-1', product: 'Front' })
  usb.plug({ path: '3-1', product: 'Rear' })
  const devices = new UsbDevices({
    cameras: { recognised: { present: [], newcomers: [], absent: [] } },
    streams: { all: () => [] },
  })
  devices.show(await Effect.runPromise(usb.read))
  const states: string[] = []
  const parts = { usb, devices, nowMs: () => 5, tell: (id: string) => states.push(`${id} ${devices.stateOf(id)}`) }
  const order = (action: UsbPowerAction, switch_id = 'usb1', off: number | string = 0, force = false) =>
    switchPower({ ...parts, times: { ...times, off: off as number } }, { switch_id, action, force })
  const last = () => devices.power(null).find(({ id }) => id === 'usb1')
  return { usb, devices, states, order, last }
}

test('off stays off until it is switched on, and what was there is back then', async () => {
  const { usb, states, order, last } = await world()

  await Effect.runPromise(order('off'))
  assert.deepEqual([last()?.state, last()?.devices], ['off', ['1-1']])
  await Effect.runPromise(order('off'))
  await Effect.runPromise(order('on'))

  assert.deepEqual(states.slice(0, 2), ['usb1 switching', 'usb1 off'])
  assert.equal(states.at(-1), 'usb1 on')
  assert.deepEqual(usb.orders.slice(0, 4), ['usb1-port1 off', 'usb1-port2 off', 'usb2-port1 off', 'usb2-port2 off'])
  assert.deepEqual(last()?.last, {
    action: 'on',
    at_ms: 5,
    done: true,
    detail:
      'the USB ports 1, 2 of the controller usb1, which are switched together: switched on; Acme Front (1-1) is back',
  })
})

test('a cycle ends with power, and says what is back', async () => {
  const { states, order, last } = await world()

  await Effect.runPromise(order('cycle'))

  assert.deepEqual(states, ['usb1 cycling', 'usb1 on'])
  assert.match(last()?.last?.detail ?? '', /Acme Front \(1-1\) is back$/)
})

test('a device that does not come back is named', async () => {
  const { usb, order, last } = await world()
  usb.broken.add('1-1')

  const { code, detail } = await Effect.runPromise(faultOf(order('cycle')))

  assert.equal(code, 'usb.not_back')
  assert.match(detail, /^the ports have power again, and Acme Front \(1-1\) has not come back; pull the cable/)
  assert.deepEqual([last()?.state, last()?.last?.done], ['on', false])
})

test('a hub that only says that it switches is found out, whatever is ordered', async () => {
  const { usb, order, last } = await world()
  usb.isDeaf = true

  for (const action of ['off', 'cycle'] as const) {
    const { code, detail } = await Effect.runPromise(faultOf(order(action)))
    assert.equal(code, 'device.failed')
    assert.match(detail, /^the hub took the order, and Acme Front \(1-1\) did not go away/)
    assert.equal(last()?.state, 'on')
  }
})

test('a hub that refuses leaves nothing half switched', async () => {
  const { usb, order, last } = await world()
  usb.powerFault = { code: 'device.failed', detail: 'EIO' }

  for (const action of ['off', 'cycle'] as const)
    assert.equal((await Effect.runPromise(faultOf(order(action)))).detail, 'EIO')

  assert.deepEqual([last()?.state, last()?.last?.detail], ['on', 'EIO'])
  assert.ok(usb.orders.at(-1)?.endsWith(' on'), 'half of a gang is switched on again')
})

test('a disk that was mounted since the last look is not taken away, unless that is wanted', async () => {
  const { usb, order, last } = await world()
  usb.disks.push({ kind: 'disk', name: 'sda', device: '1-1', mounts: ['/media/stick'], holds_data: false })

  for (const action of ['off', 'cycle'] as const) {
    const { code, detail } = await Effect.runPromise(faultOf(order(action)))
    assert.equal(code, 'usb.in_use')
    assert.match(detail, /the disk sda hangs on it, and its files are in use \(\/media\/stick\)\. Send "force": true/)
  }
  assert.deepEqual([last()?.state, usb.orders], ['on', []])

  await Effect.runPromise(order('cycle', 'usb1', 0, true))
  assert.ok(usb.orders.length > 0)
})

test('whatever interrupts a cycle, the ports have power afterwards', async () => {
  const { usb, order, last } = await world()
  const fiber = Effect.runFork(order('cycle', 'usb1', '1 hour'))
  while (!usb.orders.includes('usb2-port2 off')) await Promise.resolve()

  await Effect.runPromise(Fiber.interrupt(fiber))

  assert.deepEqual(usb.orders.slice(-4), ['usb1-port1 on', 'usb1-port2 on', 'usb2-port1 on', 'usb2-port2 on'])
  assert.deepEqual([last()?.state, last()?.last], ['on', null])
})

test('ports whose hub was pulled out are not there any more', async () => {
  const { order } = await world()

  assert.equal((await Effect.runPromise(faultOf(order('off', 'elsewhere')))).code, 'usb.unavailable')
})
