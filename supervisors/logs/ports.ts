// The logs of this device. That of the service itself is made where the process begins, which says something before
// anything is put together (supervisors/process/service.ts).

import { CLOCK } from '../../native/clock/port.ts'
import { FakeOwnLog, fakeLogs } from '../../native/logs/fake.ts'
import { linuxLogs } from '../../native/logs/linux.ts'
import { LOGS, OWN_LOG } from '../../native/logs/port.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { port } from '../composition/branch.ts'

export const logPorts = [
  port(OWN_LOG, {
    needs: { clock: CLOCK },
    device: (_options, { clock }) => new FakeOwnLog(clock),
    fake: ({ clock }) => new FakeOwnLog(clock),
  }),
  port(LOGS, {
    needs: { clock: CLOCK, programs: PROGRAMS, own: OWN_LOG },
    device: ({ device }, parts) =>
      device.kind === 'fake' ? fakeLogs(parts.clock, !device.troubles.includes('no-journal')) : linuxLogs(parts),
    fake: ({ clock }) => fakeLogs(clock),
  }),
]
