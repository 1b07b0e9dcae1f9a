// Terminals of this device.
import { FakeConsole } from '../../native/console/fake.ts'
import { linuxConsole } from '../../native/console/linux.ts'
import { CONSOLE_PORT } from '../../native/console/port.ts'
import { port } from '../composition/branch.ts'

export const consolePorts = [
  port(CONSOLE_PORT, { device: ({ dataDir }) => linuxConsole(dataDir), fake: () => new FakeConsole() }),
]
