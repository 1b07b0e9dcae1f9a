// By which certificate the other side of a connection is known. Node tells it of any request, but only as long as its
// socket is open; here it is looked at once, at the handshake.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

const fingerprints = new WeakMap<Socket, string>()

/** From now on. A connection that goes on with the keys of another one has the certificate of that. */
export const noteClientCertificates = (server: Server): void => {
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const certificate = socket.getPeerX509Certificate()
    if (certificate) fingerprints.set(socket, certificate.fingerprint256.replaceAll(':', '').toLowerCase())
  })
}

/** SHA-256 of the certificate that was shown on it (DER), 64 hex digits, lower case; undefined: none was. */
export const clientFingerprint = (socket: Socket): string | undefined => fingerprints.get(socket)
