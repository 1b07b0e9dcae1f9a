// Where the token of a peer may go: the one place that decides it, whatever is asked of the peer.
import type { Socket } from 'node:net'
import { isLoopbackAddress } from '../../machines/http/access.ts'
import { placeOf } from './dial.ts'
import type { PeerTarget } from './port.ts'

const ONE_WORD = /^[\x21-\x7e]+$/ // or it would be more than one header

/** The header that carries the token, where it may be sent: over TLS to whom we know, or to this machine itself, going by where the socket leads and not by a name. */
export const authorization = (
  { remoteAddress = '' }: Pick<Socket, 'remoteAddress'>,
  { origin, token, fingerprint }: PeerTarget,
): Record<string, string> => {
  if (token === null || !ONE_WORD.test(token)) return {}
  const isKnown = placeOf(origin).isTls && fingerprint !== null
  return isKnown || isLoopbackAddress(remoteAddress) ? { authorization: `Bearer ${token}` } : {}
}
