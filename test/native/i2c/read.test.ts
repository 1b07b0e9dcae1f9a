// What the files of Linux say of I2C buses, on trees as boards have them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanRule } from '../../../machines/i2c/scan-rules.ts'
import { readI2c } from '../../../native/i2c/read.ts'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'

const DEVICES = '/sys/bus/i2c/devices'

/** files: texts by path. links: where they lead. */
const filesOf = (files: Record<string, string>, links: Record<string, string>): FakeSystemFiles => {
  const system = new FakeSystemFiles()
  for (const [path, text] of Object.entries(files)) system.files.set(path, text)
  for (const [path, place] of Object.entries(links)) system.links.set(path, place)
  return system
}

/** A Raspberry Pi 4 with a sensor, a camera and a display. */
const pi4 = () => {
  const soc = '/sys/devices/platform/soc'
  const tree = '/sys/firmware/devicetree/base/soc'
  return filesOf(
    {
      [`${DEVICES}/i2c-1/name`]: 'bcm2835 (i2c@7e804000)\n',
      [`${DEVICES}/i2c-0/name`]: 'i2c-22-mux (chan_id 0)\n',
      [`${DEVICES}/i2c-10/name`]: 'i2c-22-mux (chan_id 1)\n',
      [`${DEVICES}/i2c-22/name`]: 'bcm2835 (i2c@7e205000)\n',
      [`${DEVICES}/i2c-20/name`]: 'fef04500.i2c\n',
      [`${DEVICES}/1-0076/name`]: 'bme280\n',
      [`${DEVICES}/10-0060/name`]: 'ov9281\n',
      [`${DEVICES}/1-a050/name`]: 'of ten bits\n',
      [`${tree}/i2c@7e804000/compatible`]: 'brcm,bcm2711-i2c\0brcm,bcm2835-i2c\0',
      '/proc/device-tree/__symbols__/i2c_vc': '/soc/i2c0mux/i2c@0',
      '/sys/class/i2c-dev/i2c-1/name': 'x',
      '/sys/class/i2c-dev/i2c-0/name': 'x',
      '/sys/class/i2c-dev/i2c-20/name': 'x',
    },
    {
      [`${DEVICES}/i2c-1`]: `${soc}/fe804000.i2c/i2c-1`,
      [`${DEVICES}/i2c-22`]: `${soc}/fe205000.i2c/i2c-22`,
      [`${DEVICES}/i2c-0`]: `${soc}/fe205000.i2c/i2c-22/i2c-0`,
      [`${DEVICES}/i2c-10`]: `${soc}/fe205000.i2c/i2c-22/i2c-10`,
      [`${DEVICES}/i2c-20`]: `${soc}/fef04500.i2c/i2c-20`,
      [`${soc}/fe804000.i2c/driver`]: '/sys/bus/platform/drivers/i2c-bcm2835',
      [`${soc}/fe804000.i2c/of_node`]: `${tree}/i2c@7e804000`,
      [`${soc}/fe205000.i2c/i2c-22/i2c-0/of_node`]: `${tree}/i2c0mux/i2c@0`,
      [`${DEVICES}/1-0076/driver`]: '/sys/bus/i2c/drivers/bmp280',
      [`${DEVICES}/10-0060/driver`]: '/sys/bus/i2c/drivers/ov9282',
      '/sys/class/drm/card1-HDMI-A-1/ddc': `${soc}/fef04500.i2c/i2c-20`,
    },
  )
}

test('a board is told with its buses, and the chips that the system knows', async () => {
  const reading = await readI2c(pi4())

  assert.deepEqual(
    reading.map(({ number, device }) => [number, device]),
    [
      [0, '/dev/i2c-0'],
      [1, '/dev/i2c-1'],
      [10, null],
      [20, '/dev/i2c-20'],
      [22, null],
    ],
  )
  assert.deepEqual(reading[1], {
    number: 1,
    name: 'bcm2835 (i2c@7e804000)',
    device: '/dev/i2c-1',
    controller: 'platform/soc/fe804000.i2c',
    driver: 'i2c-bcm2835',
    compatible: ['brcm,bcm2711-i2c', 'brcm,bcm2835-i2c'],
    is_of_display: false,
    is_of_firmware: false,
    is_of_acpi: false,
    gives_power: false,
    parent: null,
    clients: [{ address: 0x76, name: 'bme280', driver: 'bmp280' }],
  })
  assert.deepEqual(reading[2]?.clients, [{ address: 0x60, name: 'ov9281', driver: 'ov9282' }])
  assert.equal(reading[2]?.parent, 22)
})

test('the bus of the firmware and that of the display are known by what leads to them, not by name', async () => {
  const reading = await readI2c(pi4())

  const words = Object.fromEntries(reading.map((each) => [each.number, scanRule(each, reading).word]))
  assert.deepEqual(words, { 0: 'refused', 1: 'allowed', 10: 'not_possible', 20: 'refused', 22: 'not_possible' })
})

test('a bus with a chip that the kernel has as a regulator gives power, whatever it is called', async () => {
  const place = '/sys/devices/platform/ff3c0000.i2c/i2c-0'
  const files = filesOf(
    { [`${DEVICES}/i2c-0/name`]: 'rk3x-i2c', [`${DEVICES}/0-001b/name`]: 'a-new-one' },
    {
      [`${DEVICES}/i2c-0`]: place,
      '/sys/class/regulator/regulator.4': `${place}/0-001b/a-new-one/regulator/regulator.4`,
    },
  )

  const reading = await readI2c(files)

  assert.equal(reading[0]?.gives_power, true)
  assert.equal(reading[0] && scanRule(reading[0], reading).word, 'refused')
})

test('a bus of graphics, and one that ACPI describes, are known', async () => {
  const card = '/sys/devices/pci0000:00/0000:00:02.0'
  const files = filesOf(
    { [`${DEVICES}/i2c-4/name`]: 'whatever', [`${DEVICES}/i2c-6/name`]: 'Synopsys DesignWare I2C adapter' },
    {
      [`${DEVICES}/i2c-4`]: `${card}/drm/card0/card0-DP-1/i2c-4`,
      [`${DEVICES}/i2c-6`]: '/sys/devices/pci0000:00/0000:00:15.0/i2c_designware.0/i2c-6',
      '/sys/devices/pci0000:00/0000:00:15.0/i2c_designware.0/firmware_node': '/sys/devices/LNXSYSTM:00/x',
    },
  )

  const reading = await readI2c(files)

  assert.deepEqual(
    reading.map((each) => [each.is_of_display, each.is_of_acpi]),
    [
      [true, false],
      [false, true],
    ],
  )
})

test('a system without any has none', async () => {
  assert.deepEqual(await readI2c(new FakeSystemFiles()), [])
})
