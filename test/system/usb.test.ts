// USB of a device in an emulated machine, with a controller, a hub, a keyboard and a stick: what is told of it, pulled
// out and plugged in, and switched by the files of the kernel as a user without rights. `npm run test:system`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { UsbTree } from '../../machines/usb/usb-tree.ts'
import { listenToEvents } from '../support/api/event-listener.ts'
import { type Device, SKIP_DEVICE, startDevice } from '../support/guest/device.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

const TREE = '/v1/peripherals/usb'
const POWER = '/v1/device/usb-power'
const STICK_BYTES = 8 * 1024 ** 2
const EVENT_LIMIT_MS = 10 * 60_000

const hardware = (stick: string): readonly string[] => [
  ...['-device', 'qemu-xhci,id=usb', '-device', 'usb-hub,bus=usb.0,port=1,id=hub,port-power=on'],
  ...['-drive', `if=none,id=files,file=${stick},format=raw`],
  ...['-device', 'usb-storage,bus=usb.0,port=1.1,drive=files,id=stick,serial=1234'],
  ...['-device', 'usb-kbd,bus=usb.0,port=1.2,id=keys'],
]

const isKind = (kind: string) => (device: UsbTree['devices'][number]) => device.kind === kind

/** The tree, as soon as a device of a kind is in it, or is not. */
const treeWith = async ({ askUntil }: Device, kind: string, isThere = true): Promise<UsbTree> =>
  (
    await askUntil(
      { path: TREE },
      ({ status, body }) => status === 200 && (body as UsbTree).devices.some(isKind(kind)) === isThere,
    )
  ).body

interface Switch {
  readonly id: string
  readonly granularity: string
  readonly state: string
  readonly devices: readonly string[]
  readonly needs_force: readonly string[]
  readonly detail: string | null
}

test('USB of a real device is told, pulled out, plugged in and switched', { skip: SKIP_DEVICE }, async (t) => {
  const stick = join(folderOf(t), 'stick')
  execFileSync('truncate', ['-s', String(STICK_BYTES), stick])
  execFileSync('mkfs.ext4', ['-q', '-L', 'stick', stick])
  const device = await startDevice(t, hardware(stick))
  const { guest, ask, askUntil } = device
  const { messages } = await listenToEvents(t, await device.url())
  const newsAfter = (begin: number) =>
    until(
      'news of USB',
      () => messages.slice(begin).filter(({ kind }) => kind === 'usb_changed'),
      ({ length }) => length > 0,
      EVENT_LIMIT_MS,
    )
  const switchOf = async (path: string): Promise<Switch> => {
    const { body } = await askUntil({ path: POWER }, (answer) =>
      answer.body.switches?.some(({ devices }: Switch) => devices.includes(path)),
    )
    return body.switches.findLast(({ devices }: Switch) => devices.includes(path))
  }
  const order = (body: object) => ask({ method: 'POST', path: POWER, body })

  await t.test('the tree has the hub, and what hangs on it', async () => {
    const { devices, buses } = await treeWith(device, 'disk')

    const [hub, disk, keys] = ['1-1', '1-1.1', '1-1.2'].map((path) => devices.find((each) => each.path === path))
    assert.deepEqual([hub?.kind, hub?.parent, hub?.ports, hub?.drivers], ['hub', 'usb1', 8, ['hub']])
    assert.deepEqual([disk?.kind, disk?.parent, disk?.port, disk?.serial], ['disk', '1-1', 1, '1234'])
    assert.deepEqual([disk?.drivers, disk?.disks], [['usb-storage'], ['sda']])
    assert.deepEqual([keys?.kind, keys?.drivers], ['input', ['usbhid']])
    const bus = buses.find((each) => each.bus === 1)
    assert.deepEqual([bus?.driver, bus?.shared_by], ['xhci_hcd', ['1-1.1', '1-1.2']])
  })

  await t.test('what is pulled out and plugged in is told at once', async () => {
    const pulled = messages.length
    await guest.monitor('device_del', { id: 'keys' })
    assert.deepEqual((await newsAfter(pulled))[0]?.data, { came: [], went: ['1-1.2'] })
    await treeWith(device, 'input', false)

    const plugged = messages.length
    await guest.monitor('device_add', { driver: 'usb-kbd', bus: 'usb.0', port: '1.2', id: 'keys' })
    const [news] = await newsAfter(plugged)
    assert.ok(news, 'news')
    assert.deepEqual((news.data as { came: unknown }).came, ['1-1.2'])
    await treeWith(device, 'input')
  })

  await t.test('a port is switched off and on, and its device is back', async () => {
    const { id, granularity, detail } = await switchOf('1-1.2')
    assert.equal(granularity, 'port', String(detail))

    const off = await order({ switch_id: id, action: 'off' })
    assert.equal(off.status, 204, JSON.stringify(off.body))
    const { devices } = await treeWith(device, 'input', false)
    assert.ok(devices.some(isKind('disk')), 'the other port keeps its power')

    const on = await order({ switch_id: id, action: 'on' })
    assert.equal(on.status, 204, JSON.stringify(on.body))
    await treeWith(device, 'input')
  })

  await t.test('a disk in use speaks against it', async () => {
    await guest.output('mkdir -p /media/stick && mount /dev/sda /media/stick')
    const { id } = await switchOf('1-1.1')

    const refused = await order({ switch_id: id, action: 'cycle' })
    assert.equal(refused.status, 409, JSON.stringify(refused.body))
    assert.equal(refused.body.code, 'usb.in_use')
    assert.match(refused.body.detail, /the disk sda hangs on it, and its files are in use \(\/media\/stick\)/)

    await guest.output('umount /media/stick')
    const done = await order({ switch_id: id, action: 'cycle' })
    assert.equal(done.status, 204, JSON.stringify(done.body))
    await treeWith(device, 'disk')
  })

  await t.test('what was left off is on again after a restart of the service', async () => {
    const { id } = await switchOf('1-1.2')
    assert.equal((await order({ switch_id: id, action: 'off' })).status, 204)
    await treeWith(device, 'input', false)

    await guest.output('kill -9 $(systemctl show -p MainPID --value vedette)')

    await treeWith(device, 'input')
  })

  await t.test('what is on a port of the controller is back after a cycle, or is told to be missing', async () => {
    const { id } = await switchOf('1-1')

    const { status, body } = await order({ switch_id: id, action: 'cycle' })

    const there = (await ask({ path: TREE })).body.devices.some(isKind('input'))
    assert.equal(status, there ? 204 : 502, JSON.stringify(body))
    if (!there) assert.equal(body.code, 'usb.not_back')
  })
})
