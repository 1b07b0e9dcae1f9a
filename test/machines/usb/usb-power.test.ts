// What speaks against switching ports off, and what an order is refused with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { powerSwitches } from '../../../machines/usb/power-switches.ts'
import type { UsbReading } from '../../../machines/usb/reading.ts'
import { objectionsTo, refusalOfPower } from '../../../machines/usb/usb-power.ts'
import { FakeUsb } from '../../../native/usb/fake.ts'

/** A camera and a network adapter on the first controller, a disk on the second. */
const read = async (): Promise<UsbReading> => {
  const usb = new FakeUsb()
  for (const path of ['1-1', '1-2', '3-1']) usb.plug({ path })
  usb.networks.push({ kind: 'network', name: 'eth1', device: '1-2', addresses: ['10.12.34.11'] })
  usb.disks.push({ kind: 'disk', name: 'sda', device: '3-1', mounts: ['/media/films'], holds_data: false })
  return Effect.runPromise(usb.read)
}

const nobody = { streams: [], address: null }

test('what is in use is said in a sentence each', async () => {
  const reading = await read()
  const [first, second] = powerSwitches(reading)
  assert.ok(first && second)
  const front = { stream_id: 'front', path: '1-1', is_live: true }

  assert.deepEqual(objectionsTo(first, reading, { streams: [front], address: '10.12.34.11' }), [
    'your own connection comes over eth1 (10.12.34.11), which hangs on it: the device would be cut off',
    'the camera of the stream front hangs on it, and gives pictures',
  ])
  assert.deepEqual(objectionsTo(first, reading, { streams: [{ ...front, is_live: false }], address: '10.0.0.1' }), [
    'the network interface eth1 (10.12.34.11) hangs on it',
  ])
  assert.deepEqual(objectionsTo(second, reading, nobody), [
    'the disk sda hangs on it, and its files are in use (/media/films)',
  ])
  const holding = { ...reading, disks: reading.disks.map((disk) => ({ ...disk, holds_data: true })) }
  assert.deepEqual(objectionsTo(second, holding, nobody), [
    'the data folder of this service lies on sda, which hangs on it',
  ])
})

test('an order against which something speaks needs force, but to switch on never does', async () => {
  const reading = await read()
  const [first] = powerSwitches(reading)
  assert.ok(first)
  const refused = (order: Parameters<typeof refusalOfPower>[1], objections: readonly string[] = ['it burns']) =>
    refusalOfPower(first, order, objections)

  assert.equal(refused({ switch_id: 'usb1', action: 'cycle' })?.code, 'usb.in_use')
  assert.match(refused({ switch_id: 'usb1', action: 'off' })?.detail ?? '', /: it burns\. Send "force": true to do it/)
  assert.equal(refused({ switch_id: 'usb1', action: 'off', force: true }), null)
  assert.equal(refused({ switch_id: 'usb1', action: 'on' }), null)
  assert.equal(refused({ switch_id: 'usb1', action: 'off' }, []), null)
  assert.equal(refusalOfPower(undefined, { switch_id: 'x', action: 'on' }, [])?.code, 'body.invalid')
  const fixed = { ...first, granularity: 'none', detail: 'nothing can' } as const
  assert.equal(refusalOfPower(fixed, { switch_id: 'usb1', action: 'on', force: true }, [])?.code, 'usb.unavailable')
})
