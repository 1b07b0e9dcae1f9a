// Interfaces of recorded devices without NetworkManager: what is read of each, and what is left when a file cannot be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { NetworkInterface } from '../../../machines/network/interface.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { fakeDbus } from '../../../native/dbus/fake.ts'
import { linuxNetwork } from '../../../native/network/linux.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { linuxSystemFiles } from '../../../native/system-files/linux.ts'
import type { SystemFiles } from '../../../native/system-files/port.ts'
import { plant, TREES, treeOf } from '../../support/device/plant.ts'

const errorsIn = validatorOf(NetworkInterface)
const run = Effect.runPromise

/** Reads a device by these files, where `ip` prints nothing that can be read unless it is said. */
const readBy = (files: SystemFiles, programs = new FakePrograms()) =>
  run(linuxNetwork({ dbus: fakeDbus, programs, files }).read)

test('who manages an interface is said for networkd and ifupdown, and nothing can be changed', async (t) => {
  const read = async (name: (typeof TREES)[number]) => readBy(linuxSystemFiles(plant(t, treeOf(name, 'network'))))
  const pi4 = await read('raspberry-pi-4')
  const orange = await read('orange-pi-5')

  assert.match(String(pi4.refusal), /NetworkManager does not run.*apt install/)
  const [eth0, lo] = pi4.interfaces
  assert.deepEqual(
    [eth0?.manager, eth0?.method, eth0?.gateway, eth0?.dns, eth0?.speed_mbit_s, eth0?.kind],
    ['ifupdown', 'static', '10.2.34.4', ['10.2.34.4'], 1000, 'ethernet'],
  )
  assert.deepEqual([eth0?.counters.rx_bytes, eth0?.counters.rx_errors], [123_456_789_012, null])
  assert.match(String(eth0?.refusal), /\/etc\/network\/interfaces/) // which NetworkManager would leave alone, too
  assert.deepEqual([lo?.kind, lo?.mac, lo?.manager], ['loopback', null, 'nobody'])
  const [end1] = orange.interfaces
  assert.deepEqual(
    [end1?.manager, end1?.method, end1?.profile?.name, end1?.dns],
    ['networkd', 'dhcp', '10-all.network', ['192.168.7.1', '192.168.7.2']],
  )
})

test('what an interface does not tell is null, and kinds are told apart', async (t) => {
  const { interfaces: pi5 } = await readBy(linuxSystemFiles(plant(t, treeOf('raspberry-pi-5', 'network'))))
  const { interfaces: pc } = await readBy(linuxSystemFiles(plant(t, treeOf('mini-pc', 'network'))))

  assert.deepEqual(
    pi5.map(({ name, kind, carrier, speed_mbit_s }) => [name, kind, carrier, speed_mbit_s]),
    [
      ['eth0', 'ethernet', null, null],
      ['wlan0', 'wifi', false, null],
    ],
  )
  assert.deepEqual(
    pc.map(({ name, kind, speed_mbit_s }) => [name, kind, speed_mbit_s]),
    [
      ['br0', 'bridge', null],
      ['enp1s0', 'ethernet', null],
    ],
  )
})

test('addresses and gateways are those that ip prints, the gateway of the least metric', async (t) => {
  const programs = new FakePrograms()
  const links = [
    {},
    { ifname: 'eth0', addr_info: [{ family: 'inet', local: '10.2.34.11', prefixlen: 24, scope: 'global' }] },
  ]
  const routes = [
    { dst: 'default', gateway: '10.2.34.9', dev: 'eth0', metric: 600 },
    { dst: 'default', gateway: '10.2.34.4', dev: 'eth0', metric: 100 },
  ]
  programs.programs.set('ip', ([, what]) => JSON.stringify(what === 'addr' ? links : routes))
  const { interfaces } = await readBy(linuxSystemFiles(plant(t, treeOf('raspberry-pi-4', 'network'))), programs)

  assert.deepEqual(interfaces[0]?.addresses, [{ address: '10.2.34.11', prefix: 24, family: 'ipv4', scope: 'global' }])
  assert.equal(interfaces[0]?.gateway, '10.2.34.4')
})

/** Ways in which a file fails: it cannot be read, it holds garbage, or a megabyte. */
const FAILURES = [null, '\u0000\ufffd%$"{[', '-1', '99999999999999999999', 'x=1\n'.repeat(250_000)] as const

test('with any one file failing in any way every interface is there, as documents that fit', async (t) => {
  for (const name of TREES) {
    const tree = treeOf(name, 'network')
    const files = linuxSystemFiles(plant(t, tree))
    const names = (await readBy(files)).interfaces.map((each) => each.name)
    for (const [path] of tree)
      for (const text of FAILURES) {
        const failing: SystemFiles = { ...files, text: async (asked) => (asked === path ? text : files.text(asked)) }
        const { interfaces } = await readBy(failing)

        assert.deepEqual(
          interfaces.map((each) => each.name),
          names,
          path,
        )
        for (const each of interfaces) assert.deepEqual(errorsIn(each), [], `${path}: ${String(text).slice(0, 20)}`)
      }
  }
})

test('nothing at all that can be read is a fault', async (t) => {
  const files = linuxSystemFiles(plant(t, []))

  const fault = await run(Effect.flip(linuxNetwork({ dbus: fakeDbus, programs: new FakePrograms(), files }).read))

  assert.deepEqual([fault.code, /sys\/class\/net is empty/.test(fault.detail)], ['device.failed', true])
})
