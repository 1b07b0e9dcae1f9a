// The port of the identity of this device.
import { join } from 'node:path'
import { fakeIdentityPort } from '../../native/identity/fake.ts'
import { fileIdentity } from '../../native/identity/file.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { port } from '../composition/branch.ts'
import { RECORD } from '../composition/tokens.ts'

export const trustPorts = [
  port(IDENTITY, {
    needs: { record: RECORD },
    device: ({ dataDir }, { record }) => fileIdentity(join(dataDir, 'identity.pem'), record),
    fake: () => fakeIdentityPort(),
  }),
]
