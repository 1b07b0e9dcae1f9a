// How this device finds others.
import { OWN_DEVICE } from '../../machines/discovery/announcement.ts'
import { bonjourDnsSd } from '../../native/discovery/bonjour.ts'
import { FakeDnsSd } from '../../native/discovery/fake-dns-sd.ts'
import { FakeLooks } from '../../native/discovery/fake-looks.ts'
import { socketLooks } from '../../native/discovery/looks.ts'
import { DNS_SD, PEER_LOOKS } from '../../native/discovery/port.ts'
import { port } from '../composition/branch.ts'

export const discoveryPorts = [
  port(PEER_LOOKS, { device: () => socketLooks(), fake: () => new FakeLooks() }),
  // Without an identity there is nothing to be said: such a device listens, and is not announced.
  port(OWN_DEVICE, { device: () => () => null, fake: () => () => null }),
  port(DNS_SD, { device: () => bonjourDnsSd(), fake: () => new FakeDnsSd() }),
]
