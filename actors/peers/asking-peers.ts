// Asking a peer for something, for as long as it is a peer and where it was.

import type { Fault } from '../../machines/errors/fault.ts'
import { isSamePlace } from '../../machines/peers/peer-address.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { PeerAnswer, PeerRequest, PeerTarget, PeerWire } from '../../native/peers/port.ts'
import { answerUntil } from '../run.ts'
import type { PeerRegistry } from './peer-registry.ts'
import { CLOSED } from './shared-tunnels.ts'

/** Who is asked, and who is a peer. */
export interface AskingParts {
  readonly wire: Pick<PeerWire, 'ask'>
  readonly peers: Pick<PeerRegistry, 'all' | 'subscribe'>
}

/**
 * As ASK_PEER says. A peer that is deleted, or is somewhere else, is not waited for: what becomes of an order that has
 * left is not known then.
 */
export const askingPeers =
  ({ wire, peers }: AskingParts) =>
  (target: PeerTarget, request: PeerRequest): Promise<PeerAnswer | Fault> => {
    const way = new AbortController()
    let hasLeft = false
    const stop = peers.subscribe(() => {
      if (!peers.all().some(({ address }) => isSamePlace(address, target))) way.abort()
    })
    const asked = wire.ask(target, request, () => {
      hasLeft = true
    })
    const ended = () => (hasLeft && request.method !== 'GET' ? UNDECIDED : CLOSED)
    return answerUntil(way.signal, asked, ended).finally(stop)
  }

const UNDECIDED: Fault = {
  code: 'peer.too_slow',
  detail: oneLine`
    the peer was deleted, or is somewhere else now, before it had answered: whether the order was carried out is not
    known. Repeat it with the same request_id, to the device itself, to learn that
  `,
}
