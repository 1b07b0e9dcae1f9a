// The programs and files of the system around the service.
import { FakePrograms } from '../../native/programs/fake.ts'
import { linuxPrograms } from '../../native/programs/linux.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { FakeSystemFiles } from '../../native/system-files/fake.ts'
import { linuxSystemFiles } from '../../native/system-files/linux.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const systemPorts = [
  port(PROGRAMS, {
    device: ({ device }) => (device.kind === 'fake' ? new FakePrograms() : linuxPrograms()),
    fake: () => new FakePrograms(),
  }),
  port(SYSTEM_FILES, {
    device: ({ device }) => (device.kind === 'fake' ? new FakeSystemFiles() : linuxSystemFiles()),
    fake: () => new FakeSystemFiles(),
  }),
]
