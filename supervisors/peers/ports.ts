// The ports by which this device reaches others and keeps their tokens.
import { join } from 'node:path'
import { IDENTITY } from '../../native/identity/port.ts'
import { fakeSecrets } from '../../native/peer-secrets/fake.ts'
import { fileSecrets } from '../../native/peer-secrets/file.ts'
import { PEER_SECRETS } from '../../native/peer-secrets/port.ts'
import { FakePeerWire } from '../../native/peers/fake.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { socketWire } from '../../native/peers/wire.ts'
import { port } from '../composition/branch.ts'
import { RECORD } from '../composition/tokens.ts'

export const peerPorts = [
  port(PEER_WIRE, {
    needs: { identity: IDENTITY },
    device: (_, { identity }) => socketWire(identity.now),
    fake: () => new FakePeerWire(),
  }),
  port(PEER_SECRETS, {
    needs: { record: RECORD },
    device: ({ dataDir }, { record }) => fileSecrets(join(dataDir, 'peer-tokens'), record),
    fake: () => fakeSecrets(),
  }),
]
