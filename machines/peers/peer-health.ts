// How it is with the link to a peer, as it is shown and told.

import type { Static } from 'typebox'
import { FaultDocument } from '../errors/fault-document.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** How it is with the link to a peer. */
export const PeerState = Type.Enum(
  [
    ...['offline', 'dialling', 'greeting', 'synchronising', 'linked', 'stale', 'backing-off', 'refused', 'legacy'],
    ...['starting', 'restarting', 'failed'],
  ],
  {
    title: 'PeerState',
    description: oneLine`
      offline: nobody answers at its address, and nobody has for some minutes, or since this service was started.
      dialling, greeting, synchronising: on the way to a link. linked: what is known of it is so now. stale: nothing
      was heard for 15 s. backing-off: it answers, or did within the last minutes, and there is no link. Whether
      offline or backing-off, it is called again within 2 s. refused: one of the two does not accept the other, and
      the fault says why. legacy: it is no device of this kind. starting, restarting, failed: of this part of the
      service.
    `,
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
  { additionalProperties: false, title: 'PeerHealth', description: 'How it is with the link to a peer.' },
)
export type PeerHealth = Static<typeof PeerHealth>
