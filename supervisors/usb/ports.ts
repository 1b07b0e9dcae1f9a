// The USB of this device.

import { PROGRAMS } from '../../native/programs/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { believableUsb, FakeUsb } from '../../native/usb/fake.ts'
import { linuxUsb } from '../../native/usb/linux.ts'
import { USB } from '../../native/usb/port.ts'
import { port } from '../composition/branch.ts'

export const usbPorts = [
  port(USB, {
    needs: { files: SYSTEM_FILES, programs: PROGRAMS },
    device: ({ device, dataDir }, parts) =>
      device.kind === 'fake' ? believableUsb(device.troubles) : linuxUsb({ ...parts, dataDir }),
    fake: () => new FakeUsb(),
  }),
]
