// The networks of this device.
import { join } from 'node:path'
import { linuxDbus } from '../../native/dbus/linux.ts'
import { FakeNetwork, FakeNetworkRecords } from '../../native/network/fake.ts'
import { linuxNetwork } from '../../native/network/linux.ts'
import { NETWORK, NETWORK_RECORDS } from '../../native/network/port.ts'
import { networkRecordFile } from '../../native/network/record-file.ts'
import { PROGRAMS } from '../../native/programs/port.ts'
import { SYSTEM_FILES } from '../../native/system-files/port.ts'
import { port } from '../composition/branch.ts'

export const networkPorts = [
  port(NETWORK, {
    needs: { programs: PROGRAMS, files: SYSTEM_FILES },
    device: ({ device }, parts) =>
      device.kind === 'fake' ? new FakeNetwork(device.troubles) : linuxNetwork({ dbus: linuxDbus(), ...parts }),
    fake: () => new FakeNetwork(),
  }),
  port(NETWORK_RECORDS, {
    device: ({ dataDir }) => networkRecordFile(join(dataDir, 'network-change.json')),
    fake: () => new FakeNetworkRecords(),
  }),
]
