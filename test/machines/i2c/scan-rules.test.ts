// Which buses may be scanned: as boards and PCs really call them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { I2cAdapterFacts } from '../../../machines/i2c/reading.ts'
import { scanRule } from '../../../machines/i2c/scan-rules.ts'
import { scannable } from '../../../machines/i2c/scannable.ts'
import { adapterOf } from '../../support/i2c/adapter.ts'

const wordOf = (facts: Partial<I2cAdapterFacts>, others: readonly I2cAdapterFacts[] = []) =>
  scanRule(adapterOf(facts), others).word

test('buses of pins and of adapters on USB are scanned', () => {
  const adapters: readonly Partial<I2cAdapterFacts>[] = [
    { name: 'bcm2835 (i2c@7e804000)', driver: 'i2c-bcm2835' },
    { name: 'Synopsys DesignWare I2C adapter', driver: 'i2c_designware' },
    { name: '3160000.i2c', driver: 'tegra-i2c' },
    { name: 'rk3x-i2c', driver: 'rk3x-i2c' },
    { name: 'i2c-tiny-usb at bus 001 device 004', driver: 'i2c-tiny-usb' },
    { name: 'CP2112 SMBus Bridge on hidraw0', driver: null },
    { name: 'SMBus stub driver', driver: null },
  ]

  for (const each of adapters) assert.equal(wordOf(each), 'allowed', each.name)
})

test('buses of displays, of power and of the firmware are never scanned, whatever their driver', () => {
  const adapters: readonly Partial<I2cAdapterFacts>[] = [
    { name: 'i915 gmbus dpb' },
    { name: 'AUX B/DDI B/PHY B' },
    { name: 'AMDGPU DM i2c hw bus 0' },
    { name: 'NVIDIA i2c adapter 3 at 1:00.0' },
    { name: 'nvkm-0000:01:00.0-bus-0000' },
    { name: 'Radeon i2c bit bus 0x90' },
    { name: 'fef04500.i2c', compatible: ['brcm,bcm2711-hdmi-i2c'] },
    { name: 'dw-hdmi' },
    { name: 'HDMI-A-1 DDC' },
    { name: 'Synopsys DesignWare I2C adapter', is_of_display: true },
    { name: 'pmic-i2c' },
    { name: 'rk3x-i2c', gives_power: true },
    { name: 'rk3x-i2c', clients: [{ address: 0x1b, name: 'rk808', driver: null }] },
    { name: 'imx-i2c', clients: [{ address: 0x25, name: 'pca9450c', driver: 'pca9450' }] },
    { name: 'mv64xxx_i2c adapter', clients: [{ address: 0x34, name: 'axp209', driver: 'axp20x-i2c' }] },
    { name: 'SMBus I801 adapter at efa0' },
    { name: 'SMBus PIIX4 adapter port 0 at 0b00' },
    { name: 'bcm2835 (i2c@7e205000)', is_of_firmware: true },
    { name: 'mailbox-i2c' },
  ]

  for (const each of adapters) {
    assert.equal(wordOf({ driver: 'i2c_designware', ...each }), 'refused', each.name)
    const found = scannable([adapterOf({ driver: 'i2c_designware', ...each })], { adapter: 1, force: true })
    assert.equal('code' in found && found.code, 'i2c.refused', each.name)
  }
})

test('a channel of a bus that is never scanned is not either', () => {
  const parent = adapterOf({ number: 0, name: 'fef04500.i2c', compatible: ['brcm,bcm2711-hdmi-i2c'] })

  assert.equal(wordOf({ number: 5, parent: 0 }, [parent]), 'refused')
})

test('of what nothing is known is scanned by force alone', () => {
  const adapters: readonly Partial<I2cAdapterFacts>[] = [
    { name: 'a new one', driver: 'brand-new' },
    { name: 'i2c-22-mux (chan_id 1)', parent: 22, driver: null },
    { name: 'Synopsys DesignWare I2C adapter', driver: 'i2c_designware', is_of_acpi: true },
  ]

  for (const each of adapters) {
    const one = adapterOf(each)
    assert.equal(scanRule(one, []).word, 'unknown', each.name)
    const refused = scannable([one], { adapter: one.number, force: false })
    assert.equal('code' in refused && refused.code, 'i2c.refused')
    assert.equal(scannable([one], { adapter: one.number, force: true }), one)
  }
})

test('without a device file nobody can scan, and the way out is told', () => {
  const found = scannable([adapterOf({ device: null })], { adapter: 1, force: true })

  assert.ok('code' in found)
  assert.equal(found.code, 'i2c.unavailable')
  assert.match(found.detail, /modprobe i2c-dev/)
})

test('a bus that is not there is told with those that are', () => {
  const found = scannable([adapterOf({ number: 3 })], { adapter: 1, force: false })

  assert.deepEqual(found, { code: 'i2c.not_found', detail: 'there is no bus i2c-1; there are i2c-3' })
  assert.equal('code' in scannable([], { adapter: 1, force: false }), true)
})

test('chips of sensors are not taken for those that feed others', () => {
  for (const name of ['ina226', 'lsm6dso', 'bme280', 'mpu6050', 'ov9281', 'ds3231', 'lm75', 'pca9685', 'pcf8574'])
    assert.equal(wordOf({ clients: [{ address: 0x40, name, driver: null }] }), 'allowed', name)
})
