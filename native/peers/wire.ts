// The wire to other devices, over sockets.
import type { Fault } from '../../machines/errors/fault.ts'
import { askerOf } from './ask.ts'
import { diallerOf, type OwnCertificate } from './dial.ts'
import { followerOf } from './follow.ts'
import { identifierOf } from './identify.ts'
import type { PeerWire } from './port.ts'

/**
 * own: the certificate that is shown to peers, at the time of each connection; null: none. Why there is none that could
 * be shown keeps connections over TLS away.
 */
export const socketWire = (own: () => OwnCertificate | Fault | null = () => null): PeerWire => {
  const dial = diallerOf(own)
  return { dial, identify: identifierOf(dial), ask: askerOf(dial), follow: followerOf(dial) }
}
