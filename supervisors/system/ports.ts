// The system around the service: its programs, its files, how it does.
import { CLOCK } from '../../native/clock/port.ts'
import { FakePrograms } from '../../native/programs/fake.ts'
import { linuxPrograms } from '../../native/programs/linux.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { FakeSystem } from '../../native/system/fake.ts'
import { linuxSystem } from '../../native/system/linux.ts'
import { SYSTEM } from '../../native/system/port.ts'
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
  port(SYSTEM, {
    needs: { clock: CLOCK },
    device: ({ device, dataDir }, { clock: { monotonicUs } }) =>
      device.kind === 'fake'
        ? new FakeSystem({ troubles: device.troubles, nowUs: monotonicUs })
        : linuxSystem({ disk: dataDir, nowUs: monotonicUs }),
    fake: ({ clock: { monotonicUs } }) => new FakeSystem({ nowUs: monotonicUs }),
  }),
]
