// The port through which pictures of peers pass this device. On a connection of a fake peer it is done in the same way.
import { TUNNEL_PORT } from '../../native/tunnels/port.ts'
import { peerTunnels } from '../../native/tunnels/tunnels.ts'
import { port } from '../composition/branch.ts'

export const tunnelPorts = [port(TUNNEL_PORT, { device: () => peerTunnels, fake: () => peerTunnels })]
