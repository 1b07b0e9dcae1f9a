// The condition of the device, which robots are told of.
import { FakeHardware } from '../../native/hardware/fake.ts'
import { LinuxHardware } from '../../native/hardware/linux.ts'
import { HARDWARE } from '../../native/hardware/port.ts'
import { port } from '../composition/branch.ts'

export const extcamPorts = [
  port(HARDWARE, { device: ({ dataDir }) => new LinuxHardware({ disk: dataDir }), fake: () => new FakeHardware() }),
]
