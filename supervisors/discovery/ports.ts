// The ports by which this device finds others.
import { OWN_DEVICE } from '../../machines/discovery/announcement.ts'
import { bonjourDnsSd } from '../../native/discovery/bonjour.ts'
import { FakeDnsSd } from '../../native/discovery/fake-dns-sd.ts'
import { FakeLooks } from '../../native/discovery/fake-looks.ts'
import { socketLooks } from '../../native/discovery/looks.ts'
import { DNS_SD, PEER_LOOKS } from '../../native/discovery/port.ts'
import { IDENTITY, keptIdentity } from '../../native/identity/port.ts'
import { port } from '../composition/branch.ts'

export const discoveryPorts = [
  port(PEER_LOOKS, { device: () => socketLooks(), fake: () => new FakeLooks() }),
  port(OWN_DEVICE, {
    needs: { identity: IDENTITY },
    device:
      (_, { identity }) =>
      () =>
        keptIdentity(identity),
    fake:
      ({ identity }) =>
      () =>
        keptIdentity(identity),
  }),
  port(DNS_SD, { device: () => bonjourDnsSd(), fake: () => new FakeDnsSd() }),
]
