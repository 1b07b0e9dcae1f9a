// What is published about peers.

import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { PeerHealth } from './peer-health.ts'

const strict = { additionalProperties: false } as const
const PEER = 'GET /v1/peers/{id}'
const Id = Type.String({ maxLength: 40, description: 'The id of the peer here.' })

/** A peer was registered, changed or deleted. */
export const peerChanged = documentEvent({
  kind: 'peer_changed',
  about: 'A peer was registered, changed or deleted.',
  resource: PEER,
  of: { field: 'peer_id', id: Id, example: 'back' },
})

/** The link to a peer has another state that lasts. */
export const peerHealth = eventKind({
  kind: 'peer_health',
  about: oneLine`
    The link to a peer has come, was lost, is stale or refused, or the peer is offline. The states on the way to a
    link, and each of a hundred calls in vain, are not told.
  `,
  reference: { peer_id: Id },
  resource: PEER,
  data: PeerHealth,
  revised: false,
  example: {
    resource_ref: { peer_id: 'back' },
    data: { status: 'linked', round_trip_ms: 1.2, last_seen_ms: 1_767_225_600_000, fault: null },
  },
})

/** What a peer has was read, or is worked on elsewhere. */
export const peerInventory = eventKind({
  kind: 'peer_inventory',
  about: oneLine`
    What a peer has was read, for the first time or because something changed there, or the pictures of one of its
    streams are worked on elsewhere now (\`compute\`): \`GET /v1/peers/{id}\` shows it. Its own events are told before
    this, with \`peer_id\`.
  `,
  reference: { peer_id: Id },
  resource: PEER,
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
