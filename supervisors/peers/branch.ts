// Other devices: the registered ones, and the links to them.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { askingPeers } from '../../actors/peers/asking-peers.ts'
import { PeerRegistry } from '../../actors/peers/peer-registry.ts'
import { registering, sweepTokens } from '../../actors/peers/register-peer.ts'
import { relayEvents } from '../../actors/peers/relay-events.ts'
import { storingIdentity } from '../../actors/peers/store-identity.ts'
import { ASK_PEER, PEER_ACCESS, PEER_REGISTRY, REGISTER_PEER } from '../../actors/peers/tokens.ts'
import { REMOTE_STREAMS } from '../../actors/remote-streams/tokens.ts'
import { settingsOrders, settingsWriter } from '../../actors/settings/write-settings.ts'
import { EVENT_KINDS } from '../../machines/events/kind.ts'
import { peerHealth, peerInventory } from '../../machines/peers/events.ts'
import { peerCollection } from '../../machines/peers/peer.ts'
import { IDENTITY, keptIdentity } from '../../native/identity/port.ts'
import { PEER_SECRETS } from '../../native/peer-secrets/port.ts'
import { PEER_WIRE } from '../../native/peers/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { PeerChildren } from './children.ts'
import { peerPorts } from './ports.ts'

const REGISTER_LIMIT = '5 seconds'

export const peerBranch = branch({
  collections: [peerCollection],
  events: [peerHealth, peerInventory],
  ports: peerPorts,
  offers: [
    offer(
      PEER_REGISTRY,
      { directory: DIRECTORY, secrets: PEER_SECRETS, remote: REMOTE_STREAMS, onBug: ON_BUG },
      ({ directory, secrets, remote, onBug }) =>
        new PeerRegistry({
          settings: directory.settings,
          events: directory.events,
          nowMs: directory.clock.nowMs,
          monotonicUs: directory.clock.monotonicUs,
          here: (peer_id, stream_id) => {
            const found = remote.get(peer_id, stream_id)
            return found && { stream_id: found.isAttached ? found.stream.id : null }
          },
          tokenOf: (id, version) => secrets.get(id, version),
          dropped: (id) => Effect.runFork(Effect.ignore(secrets.sweep((each) => each !== id))),
          onBug: onBug(peerCollection.name),
        }),
    ),
    offer(PEER_ACCESS, { peers: PEER_REGISTRY }, ({ peers }) => peers.access),
    offer(ASK_PEER, { wire: PEER_WIRE, peers: PEER_REGISTRY }, askingPeers),
    offer(
      REGISTER_PEER,
      {
        directory: DIRECTORY,
        peers: PEER_REGISTRY,
        wire: PEER_WIRE,
        secrets: PEER_SECRETS,
        identity: IDENTITY,
        record: RECORD,
      },
      ({ directory, identity, ...parts }) =>
        registering({
          ...parts,
          settings: directory.settings,
          nowMs: directory.clock.nowMs,
          order: settingsOrders(directory, REGISTER_LIMIT),
          own: () => keptIdentity(identity)?.device_id ?? null,
        }),
    ),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    record: RECORD,
    kinds: EVENT_KINDS,
    peers: PEER_REGISTRY,
    wire: PEER_WIRE,
    identity: IDENTITY,
    secrets: PEER_SECRETS,
    remote: REMOTE_STREAMS,
  },
  start: ({ directory, kinds, identity, secrets, remote, ...parts }) => {
    const { peers, record } = parts
    const children = new PeerChildren({
      ...parts,
      own: () => keptIdentity(identity)?.device_id ?? null,
      introduce: storingIdentity({ peers, record, write: settingsWriter(directory) }),
      relay: relayEvents(directory.events, kinds),
      seed: Math.random,
    })
    parts.lifecycle.add((event) => children.follow(event))
    remote.onMoved(({ peer_id }) => peers.get(peer_id)?.tellMoved())
    return Effect.gen(function* () {
      yield* whenClockIsSet(directory.clock, (byMs) => peers.clockSet(byMs))
      yield* Effect.ignore(sweepTokens({ peers, secrets }))
      yield* keepAsWanted(parts, children)
    })
  },
})
