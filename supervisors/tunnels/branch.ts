// Pictures of peers. It starts nothing; what viewers have opened ends with the link to their peer, with the peer as it
// is registered, and with the service.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { RemoteResults } from '../../actors/peers/remote-results.ts'
import { PEER_ACCESS, PEER_REGISTRY, REMOTE_RESULTS, TUNNELS } from '../../actors/peers/tokens.ts'
import { Tunnels } from '../../actors/peers/tunnels.ts'
import { peerHealth } from '../../machines/peers/events.ts'
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
      { wire: PEER_WIRE, accessTo: PEER_ACCESS, port: TUNNEL_PORT, record: RECORD },
      (parts) => new Tunnels(parts),
    ),
    offer(
      REMOTE_RESULTS,
      { tunnels: TUNNELS, peers: PEER_REGISTRY, directory: DIRECTORY },
      ({ tunnels, peers, directory }) => new RemoteResults({ tunnels, peers, events: directory.events }),
    ),
  ],
  needs: { tunnels: TUNNELS, peers: PEER_REGISTRY, directory: DIRECTORY },
  start: ({ tunnels, peers, directory }) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          const review = () => tunnels.review()
          return [
            peers.subscribe(review),
            directory.events.subscribe(({ kind }) => {
              if (kind === peerHealth.kind) review()
            }),
          ]
        }),
        (stops) =>
          Effect.sync(() => {
            for (const stop of stops) stop()
            tunnels.closeAll()
          }),
      ),
    ),
})
