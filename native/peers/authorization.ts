// What each request to a peer says of the two: which device is meant, and the token of this one, where that may go. The
// one place that decides it, whatever is asked.
import type { Socket } from 'node:net'
import { isLoopbackAddress } from '../../machines/http/access.ts'
import { DEVICE_HEADER } from '../../machines/interdevice/device-header.ts'
import { placeOf } from './dial.ts'
import type { PeerTarget } from './port.ts'

const ONE_WORD = /^[\x21-\x7e]+$/ // or it would be more than one header

/**
 * The headers that name the device, and carry the token where it may be sent: over TLS to a known peer, or to this
 * machine itself, going by where the socket leads and not by a name.
 */
export const authorization = (socket: Pick<Socket, 'remoteAddress'>, target: PeerTarget): Record<string, string> => ({
  ...(target.device_id !== undefined && { [DEVICE_HEADER]: target.device_id }),
  ...bearer(socket, target),
})

const bearer = (socket: Pick<Socket, 'remoteAddress'>, target: PeerTarget): Record<string, string> => {
  const { token } = target
  return token !== null && ONE_WORD.test(token) && maySend(socket, target) ? { authorization: `Bearer ${token}` } : {}
}

const maySend = ({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>, { origin, fingerprint }: PeerTarget): boolean =>
  (placeOf(origin).isTls && fingerprint !== null) || isLoopbackAddress(remoteAddress)

/** Whether there is a token that may not be sent there. */
export const isWithheld = (socket: Pick<Socket, 'remoteAddress'>, target: PeerTarget): boolean =>
  target.token !== null && !maySend(socket, target)
