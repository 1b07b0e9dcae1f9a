// An adapter as a header of a board has it.
import type { I2cAdapterFacts } from '../../../machines/i2c/reading.ts'

/** With what is told of it otherwise. */
export const adapterOf = (facts: Partial<I2cAdapterFacts> = {}): I2cAdapterFacts => ({
  number: 1,
  name: 'bcm2835 (i2c@7e804000)',
  device: '/dev/i2c-1',
  controller: 'platform/soc/fe804000.i2c',
  driver: 'i2c-bcm2835',
  compatible: [],
  is_of_display: false,
  is_of_firmware: false,
  is_of_acpi: false,
  gives_power: false,
  parent: null,
  clients: [],
  ...facts,
})
