// The port through which engines read the pictures of other devices.
import { fakeInlets } from '../../native/inlets/fake.ts'
import { loopbackInlets } from '../../native/inlets/loopback.ts'
import { INLETS } from '../../native/inlets/port.ts'
import { port } from '../composition/branch.ts'

export const remoteStreamPorts = [
  port(INLETS, { device: ({ engine }) => (engine === 'fake' ? fakeInlets() : loopbackInlets), fake: fakeInlets }),
]
