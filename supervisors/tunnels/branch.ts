// Pictures of peers. It starts nothing; what viewers have opened ends with the service.
import * as Effect from 'effect/Effect'
import { PEER_DOORS, TUNNELS } from '../../actors/peers/tokens.ts'
import { Tunnels } from '../../actors/peers/tunnels.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { TUNNEL_PORT } from '../../native/tunnels/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { RECORD } from '../composition/tokens.ts'
import { tunnelPorts } from './ports.ts'

export const tunnelBranch = branch({
  ports: tunnelPorts,
  offers: [
    offer(
      TUNNELS,
      { wire: PEER_WIRE, doors: PEER_DOORS, port: TUNNEL_PORT, record: RECORD },
      (parts) => new Tunnels(parts),
    ),
  ],
  needs: { tunnels: TUNNELS },
  start: ({ tunnels }) => Effect.addFinalizer(() => Effect.sync(() => tunnels.closeAll())),
})
