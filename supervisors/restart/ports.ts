// Who restarts this service and this device.
import { linuxDbus } from '../../native/dbus/linux.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { FakeRestart } from '../../native/restart/fake.ts'
import { linuxRestart } from '../../native/restart/linux.ts'
import { RESTART } from '../../native/restart/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const restartPorts = [
  port(RESTART, {
    needs: { files: SYSTEM_FILES, programs: PROGRAMS },
    device: ({ device, dataDir }, parts) =>
      device.kind === 'fake' ? new FakeRestart() : linuxRestart({ ...parts, dataDir, dbus: linuxDbus() }),
    fake: () => new FakeRestart(),
  }),
]
