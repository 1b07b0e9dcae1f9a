// What is published about peers.
import type { Static } from 'typebox'
import { FaultDocument } from '../errors/fault-document.ts'
import { documentEvent, eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const Id = Type.String({ maxLength: 40, description: 'The id of the peer here.' })

/** A peer was registered, changed or deleted. */
export const peerChanged = documentEvent({
  kind: 'peer_changed',
  about: 'A peer was registered, changed or deleted.',
  of: { field: 'peer_id', id: Id, example: 'back' },
})

/** How it is with the link to a peer. */
export const PeerState = Type.Enum(
  [
    ...['offline', 'dialling', 'greeting', 'synchronising', 'linked', 'stale', 'backing-off', 'refused', 'legacy'],
    ...['starting', 'restarting', 'failed'],
  ],
  {
    title: 'PeerState',
    description:
      'offline: it does not answer, and has not for long. dialling, greeting, synchronising: on the way to a link. linked: what is known of it is so now. stale: nothing was heard for 15 s. backing-off: the link was lost, and it is called again. refused: one of the two does not accept the other, and the fault says why. legacy: it is no device of this kind. starting, restarting, failed: of this part of the service.',
  },
)

/** How a peer is: what `peer_health` tells. */
export const PeerHealth = Type.Object(
  {
    status: PeerState,
    round_trip_ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Of the latest sign of life that was asked for; null: none yet.',
    }),
    last_seen_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'When it was heard last, Unix time of this device; null: not since the start of the service.',
    }),
    fault: Type.Union([FaultDocument, Type.Null()], { description: 'What is wrong with the link; null: nothing.' }),
  },
  { ...strict, title: 'PeerHealth', description: 'How it is with the link to a peer.' },
)
export type PeerHealth = Static<typeof PeerHealth>

/** The link to a peer has another state that lasts. */
export const peerHealth = eventKind({
  kind: 'peer_health',
  about:
    'The link to a peer has come, was lost, is stale or refused, or the peer is offline. The states on the way to a link, and each of a hundred calls in vain, are not told.',
  reference: { peer_id: Id },
  data: PeerHealth,
  revised: false,
  example: {
    resource_ref: { peer_id: 'back' },
    data: { status: 'linked', round_trip_ms: 1.2, last_seen_ms: 1_767_225_600_000, fault: null },
  },
})

/** What a peer has was read. */
export const peerInventory = eventKind({
  kind: 'peer_inventory',
  about:
    'What a peer has was read, for the first time or because something changed there: `GET /v1/peers/{id}` shows it. Its own events are told before this, with `peer_id`.',
  reference: { peer_id: Id },
  data: Type.Object(
    {
      epoch: Type.String({ maxLength: 64, description: 'Of the events of the peer.' }),
      seq: Type.Integer({ minimum: 0, description: 'The newest event there that is contained.' }),
    },
    { ...strict, title: 'PeerInventoryRead', description: 'Up to which event of the peer.' },
  ),
  revised: false,
  example: { resource_ref: { peer_id: 'back' }, data: { epoch: 'k3v9x1', seq: 12 } },
})
