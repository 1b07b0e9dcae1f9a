// What the recorded trees of four devices say of USB, and how its power is switched there.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { powerSwitches, switchOfDevice } from '../../../machines/usb/power-switches.ts'
import type { UsbReading } from '../../../machines/usb/reading.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import type { SystemFiles } from '../../../native/system-files/port.ts'
import { linuxUsb } from '../../../native/usb/linux.ts'
import { type Planted, plant, TREES, type TreeName, treeOf } from '../../support/device/plant.ts'
import { dataFolder, faultOf } from '../../support/processes/documents.ts'
import { until } from '../../support/until.ts'

const device = (t: TestContext, name: TreeName, more: readonly Planted[] = []) => {
  const root = plant(t, [...treeOf(name, 'usb'), ...more])
  const programs = new FakePrograms()
  const dataDir = dataFolder(t)
  const parts = {
    programs,
    dataDir,
    dev: join(dataDir, 'dev'),
    addresses: () => ({ eth1: ['10.12.34.11'] }),
  }
  const make = (files: SystemFiles = linuxSystemFiles(root), data = dataDir) =>
    linuxUsb({ ...parts, files, dataDir: data })
  const read = () => Effect.runPromise(make().read)
  const file = (path: string) => readFileSync(join(root, path), 'utf8')
  return { root, programs, dataDir, make, read, file }
}

const refusingFiles = (root: string): SystemFiles => ({
  ...linuxSystemFiles(root),
  write: (path) => Effect.fail({ code: 'device.failed', detail: `${path} did not take "1": EACCES` } as const),
})

const switchesOf = (reading: UsbReading) =>
  powerSwitches(reading).map(({ id, granularity, ports }) => [
    id,
    granularity,
    ports.map(({ hub, port }) => `${hub}:${port}`).join(' '),
  ])

test('on a Raspberry Pi 4 all ports are switched together, and what hangs on them is known', async (t) => {
  const { make, dataDir } = device(t, 'raspberry-pi-4')
  const reading = await Effect.runPromise(make(undefined, '/var/lib/vedette/data').read)

  assert.deepEqual(switchesOf(reading), [
    ['usb1', 'gang', '1-1:1 1-1:2 1-1:3 1-1:4 usb2:1 usb2:2 usb2:3 usb2:4'],
    ['usb3-port1', 'port', 'usb3:1'],
  ])
  assert.deepEqual(
    reading.devices.map(({ path, parent, speed_mbit_s }) => [path, parent, speed_mbit_s]),
    [
      ['usb1', null, 480],
      ['1-1', 'usb1', 480],
      ['1-1.3', '1-1', 480],
      ['1-1.4', '1-1', 480],
      ['usb2', null, 5000],
      ['2-2', 'usb2', 5000],
      ['usb3', null, 480],
    ],
  )
  assert.deepEqual(
    reading.videos.map(({ name, device }) => [name, device]),
    [
      ['/dev/video0', '1-1.3'],
      ['/dev/video1', '1-1.3'],
      ['/dev/video2', '1-1.4'],
      ['/dev/video3', '1-1.4'],
    ],
  )
  assert.deepEqual(reading.disks, [
    { kind: 'disk', name: 'sda', device: '2-2', mounts: ['/var/lib/vedette', '/media/old films'], holds_data: true },
  ])
  assert.equal((await Effect.runPromise(make(undefined, dataDir).read)).disks[0]?.holds_data, false)
  assert.deepEqual(Object.values(reading.drivers), ['xhci_hcd', 'dwc2'])
  const camera = reading.devices.find(({ path }) => path === '1-1.3')
  assert.equal(camera?.max_power_ma, 500)
  assert.deepEqual(camera?.interfaces, [
    { number: '1.0', class: '0e', driver: 'uvcvideo' },
    { number: '1.1', class: '0e', driver: 'uvcvideo' },
  ])
})

test('on a Raspberry Pi 5 the ports of each controller are switched together', async (t) => {
  const reading = await device(t, 'raspberry-pi-5').read()

  assert.deepEqual(switchesOf(reading), [
    ['usb1', 'gang', 'usb1:1 usb1:2 usb2:1'],
    ['usb3', 'gang', 'usb3:1 usb3:2 usb4:1'],
  ])
  assert.equal(switchOfDevice(powerSwitches(reading), '3-2')?.id, 'usb3')
  const bare = reading.devices.find(({ path }) => path === '1-2')
  assert.deepEqual([bare?.product, bare?.max_power_ma, bare?.interfaces], [null, null, []])
})

test('an old kernel without uhubctl can switch nothing, and says what helps', async (t) => {
  const { read, programs } = device(t, 'orange-pi-5')
  const reading = await read()

  assert.deepEqual(
    powerSwitches(reading).map(({ id, granularity }) => [id, granularity]),
    [
      ['usb2', 'none'],
      ['2-1', 'none'],
      ['usb5', 'none'],
      ['usb6', 'none'],
    ],
  )
  const detail = powerSwitches(reading)[0]?.detail ?? ''
  assert.match(detail, /the kernel \(5\.10\.160-rockchip-rk3588\) has no file for it, as it has from version 6\.0 on/)
  assert.match(detail, /uhubctl is not installed \(apt install uhubctl\)/)
  assert.deepEqual(programs.ran, ['uhubctl'])
  const camera = reading.devices.find(({ path }) => path === '2-1.2')
  assert.deepEqual([camera?.manufacturer, camera?.speed_mbit_s], ['Arducam Technology Co., Ltd.', null])
})

const LIST = `Current status for hub 2-1 [1a40:0101 USB 2.0 Hub, USB 2.00, 4 ports, ganged]
  Port 1: 0100 power
  Port 2: 0503 power highspeed enable connect [0c45:6366 Arducam]
  Port 3: 0100 power
  Port 4: 0100 power
Current status for hub 6 [1d6b:0003 Linux 5.10.160 xhci-hcd xHCI Host Controller, USB 3.00, 1 ports, ppps]
  Port 1: 02a0 power 5gbps Rx.Detect
`

test('there uhubctl switches those hubs that it knows, a ganged one as a whole', async (t) => {
  const { make, programs } = device(t, 'orange-pi-5')
  programs.programs.set('uhubctl', (args) => (args.length === 0 ? LIST : 'Sent power off request\n'))
  const usb = make()
  const reading = await Effect.runPromise(usb.read)
  assert.deepEqual(switchesOf(reading).slice(0, 2), [
    ['usb2', 'none', 'usb2:1'],
    ['2-1', 'gang', '2-1:1 2-1:2 2-1:3 2-1:4'],
  ])

  const found = powerSwitches(reading).find(({ id }) => id === 'usb6-port1')
  await Effect.runPromise(usb.power(found?.ports ?? [], false))

  assert.deepEqual(programs.ran.slice(1), ['uhubctl -e -l 6 -p 1 -a off'])
})

test('a hub that switches port by port does so for both halves of a socket', async (t) => {
  const { make, read, file, dataDir, root } = device(t, 'mini-pc')
  const reading = await read()
  const ids = switchesOf(reading)

  assert.deepEqual(
    ids.filter(([id]) => id?.startsWith('1-3')),
    [1, 2, 3, 4].map((n) => [`1-3-port${n}`, 'port', `1-3:${n} 2-3:${n}`]),
  )
  assert.ok(!ids.some(([id]) => id === 'usb1-port7' || id === 'usb1-port8'), 'nothing is plugged in there')
  assert.deepEqual(reading.networks, [{ kind: 'network', name: 'eth1', device: '2-3.4', addresses: ['10.12.34.11'] }])
  const found = switchOfDevice(powerSwitches(reading), '1-3.2')
  assert.equal(found?.id, '1-3-port2')

  const usb = make()
  const place = '/sys/devices/pci0000:00/0000:00:14.0'
  const files = [`${place}/usb1/1-3/1-3:1.0/1-3-port2/disable`, `${place}/usb2/2-3/2-3:1.0/2-3-port2/disable`]
  await Effect.runPromise(usb.power(found?.ports ?? [], false))
  assert.deepEqual(files.map(file), ['1\n', '1\n'])
  assert.ok(existsSync(join(dataDir, 'usb-switched-off.json')))

  // the run that switched them off was killed, and the next one may not write
  assert.equal(await Effect.runPromise(make(refusingFiles(root)).restore), 0)
  assert.equal(await Effect.runPromise(make().restore), 2)
  assert.deepEqual(
    files.map((each) => file(each).trim()),
    ['0', '0'],
  )
  assert.equal(await Effect.runPromise(make().restore), 0)
})

test('where the file may not be written uhubctl is tried, and the refusal says what helps', async (t) => {
  const { make, programs, root } = device(t, 'mini-pc')
  const usb = make(refusingFiles(root))
  const reading = await Effect.runPromise(usb.read)
  const found = switchOfDevice(powerSwitches(reading), '1-3.2')

  const { detail } = await Effect.runPromise(faultOf(usb.power(found?.ports ?? [], false)))

  assert.match(detail, /1-3-port2\/disable did not take "1": EACCES\. Root may switch the power of ports; the package/)
  assert.deepEqual(programs.ran, ['uhubctl -e -l 1-3 -p 2 -a off', 'uhubctl -e -l 2-3 -p 2 -a off'])
})

/** The same, with each path read once: a tree is asked some hundred times. */
const remembering = ({ text, names, place, ...rest }: SystemFiles): SystemFiles => {
  const once = <Value>(read: (path: string) => Promise<Value>) => {
    const known = new Map<string, Promise<Value>>()
    return (path: string): Promise<Value> => {
      const value = known.get(path) ?? read(path)
      known.set(path, value)
      return value
    }
  }
  return { ...rest, text: once(text), names: once(names), place: once(place) }
}

test('every file of every tree may fail: nothing else is missing, and nothing throws', async (t) => {
  const bad = [null, '\u0000\u0007�', 'x'.repeat(65_536), '-1', '99999999999', 'NaN', '']
  for (const name of TREES) {
    const { root, make } = device(t, name)
    const whole = remembering(linuxSystemFiles(root))
    const asked = new Set<string>()
    const spying: SystemFiles = {
      ...whole,
      text: (path) => {
        asked.add(path)
        return whole.text(path)
      },
    }
    const expected = await Effect.runPromise(make(spying).read)
    for (const [at, failing] of [...asked].entries()) {
      const files: SystemFiles = {
        ...whole,
        text: async (path) => (path === failing ? (bad[at % bad.length] ?? null) : whole.text(path)),
      }
      const reading = await Effect.runPromise(make(files).read)
      const paths = reading.devices.map(({ path }) => path)
      assert.deepEqual(
        paths,
        expected.devices.map(({ path }) => path),
        `${name} without ${failing}`,
      )
      assert.equal(reading.videos.length, expected.videos.length)
      const isOf = (path: string) =>
        ['/', ':'].some((end) => failing.includes(`/${path}${end}`)) ||
        failing.includes(`/${path.replace('usb', '')}-0:`)
      const others = (from: UsbReading) => from.devices.filter(({ path }) => !isOf(path))
      assert.deepEqual(others(reading), others(expected), `${name} without ${failing}`)
      powerSwitches(reading)
    }
    assert.ok(asked.size > 30, `${name} has ${asked.size} files`)
  }
})

test('what is no folder of USB has none', async (t) => {
  const usb = linuxUsb({
    files: linuxSystemFiles(dataFolder(t)),
    programs: new FakePrograms(),
    dataDir: dataFolder(t),
    addresses: () => ({}),
  })

  const { devices, ports, disks } = await Effect.runPromise(usb.read)

  assert.deepEqual([devices, ports, disks], [[], [], []])
})

test('a device that comes or goes on any bus is told', async (t) => {
  const { make, dataDir } = device(t, 'raspberry-pi-5')
  const bus = join(dataDir, 'dev', '001')
  mkdirSync(bus, { recursive: true })
  let told = 0

  await Effect.runPromise(
    Effect.scoped(
      Effect.andThen(
        make().watch(() => {
          told += 1
        }),
        Effect.promise(() => {
          writeFileSync(join(bus, '004'), '')
          return until('news', () => told > 0)
        }),
      ),
    ),
  )
})
