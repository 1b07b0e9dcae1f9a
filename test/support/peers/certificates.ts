// Certificates as people bring them, and the handshake that shows whether a server has a good one.
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls'
import { generate, type SelfsignedOptions } from 'selfsigned'
import type { Certificate } from '../../../native/tls/port.ts'
import { arrival } from '../until.ts'

/** A certificate for `localhost`, RSA unless said otherwise. */
export const madeElsewhere = async (options: SelfsignedOptions = {}): Promise<Certificate> => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    ...options,
  })
  return { key, cert }
}

/**
 * Shakes hands with a server on 127.0.0.1 and returns the SHA-256 fingerprint of its certificate. more: a name that is
 * asked for, a certificate that is shown.
 */
export const shakeHands = async (port: number, more: ConnectionOptions = {}): Promise<string> => {
  const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...more })
  try {
    await arrival('a handshake', once(socket, 'secureConnect'))
    return socket.getPeerCertificate().fingerprint256
  } finally {
    socket.destroy()
  }
}

/** Serves HTTPS with a certificate for the length of one handshake, and returns its fingerprint. */
export const servedFingerprint = async (certificate: Certificate): Promise<string> => {
  const server = createServer({ ...certificate }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await shakeHands((server.address() as AddressInfo).port)
  } finally {
    server.close()
  }
}
