// How this device looks for others.
import { FakeLooks } from '../../native/discovery/fake-looks.ts'
import { socketLooks } from '../../native/discovery/looks.ts'
import { PEER_LOOKS } from '../../native/discovery/port.ts'
import { port } from '../composition/branch.ts'

export const discoveryPorts = [port(PEER_LOOKS, { device: () => socketLooks(), fake: () => new FakeLooks() })]
