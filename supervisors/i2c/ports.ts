// The I2C buses of this device.
import { believableI2c } from '../../native/i2c/fake.ts'
import { linuxI2c } from '../../native/i2c/linux.ts'
import { I2C } from '../../native/i2c/port.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const i2cPorts = [
  port(I2C, {
    needs: { files: SYSTEM_FILES, programs: PROGRAMS },
    device: ({ device }, parts) =>
      device.kind === 'fake' ? believableI2c(device.troubles.includes('i2c-stuck')) : linuxI2c(parts),
    fake: () => believableI2c(),
  }),
]
