// The boot firmware of this device.
import { FakeBootloader } from '../../native/bootloader/fake.ts'
import { linuxBootloader } from '../../native/bootloader/linux.ts'
import { BOOTLOADER } from '../../native/bootloader/port.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const bootloaderPorts = [
  port(BOOTLOADER, {
    needs: { files: SYSTEM_FILES, programs: PROGRAMS },
    device: ({ device }, parts) => (device.kind === 'fake' ? new FakeBootloader() : linuxBootloader(parts)),
    fake: () => new FakeBootloader(),
  }),
]
