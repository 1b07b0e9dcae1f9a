// The name of this device.
import { FakeHostname } from '../../native/hostname/fake.ts'
import { linuxHostname } from '../../native/hostname/linux.ts'
import { HOSTNAME } from '../../native/hostname/port.ts'
import { port } from '../composition/branch.ts'

export const hostnamePorts = [port(HOSTNAME, { device: () => linuxHostname(), fake: () => new FakeHostname() })]
