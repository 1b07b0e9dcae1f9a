// Whether a certificate and a key are good for HTTPS, found out before anybody is let near them.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { duplexPair } from 'node:stream'
import { createSecureContext, TLSSocket, connect as tlsConnect } from 'node:tls'
import * as Effect from 'effect/Effect'
import type { Certificate } from './port.ts'

/**
 * Why they cannot be used, as the end of a sentence that begins with the files; undefined: they can. nowMs: Unix time.
 */
export const complaintAbout = (pair: Certificate, nowMs: number): Effect.Effect<string | undefined> =>
  Effect.suspend(() => {
    const complaint = pairComplaint(pair)
    if (complaint !== undefined) return Effect.succeed(complaint)
    const { validTo, validToDate } = new X509Certificate(pair.cert)
    // Only the end counts: a device without a battery clock may wake up before the begin.
    if (validToDate.getTime() < nowMs) return Effect.succeed(`the certificate ran out on ${validTo}`)
    return handshakeComplaint(pair)
  })

/** The part of it that shows without a handshake: whether they can be read, and belong together. */
export const pairComplaint = ({ key, cert }: Certificate): string | undefined => {
  const leaf = certificateIn(cert)
  if (!leaf) return cert.trim() === '' ? 'the certificate is empty' : 'there is no certificate in it'
  const secret = keyIn(key)
  if (typeof secret === 'string') return secret
  return leaf.checkPrivateKey(secret) ? undefined : 'the key is not that of the certificate'
}

const CAN_BE_BORNE = /^[!-~]+$/ // browsers ask in ASCII, and so a certificate names; a device can be called anything

/** Whether a good certificate is one for all of these names that a certificate can bear. */
export const bearsNames = (cert: string, names: readonly string[]): boolean => {
  const leaf = new X509Certificate(cert)
  return names.every((name) => !CAN_BE_BORNE.test(name) || leaf.checkHost(name) !== undefined)
}

const certificateIn = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** The key, or what is wrong with it. */
const keyIn = (pem: string): KeyObject | string => {
  try {
    return createPrivateKey(pem)
  } catch {
    if (pem.trim() === '') return 'the key is empty'
    return /\bENCRYPTED\b/.test(pem) // as PEM says it; OpenSSL only says that it was interrupted
      ? 'the key is locked with a passphrase, which nobody is there to give; store it without one'
      : 'there is no private key in it'
  }
}

const HANDSHAKE_LIMIT = '2 seconds' // it takes 5 ms

/** What only a handshake shows: a curve or a key that TLS does not take, a chain that is cut off. */
const handshakeComplaint = (certificate: Certificate): Effect.Effect<string | undefined> =>
  Effect.callback<string | undefined>((resume) => {
    const [near, far] = duplexPair()
    const complain = ({ message }: Error) => resume(Effect.succeed(`no TLS handshake succeeds with it (${message})`))
    const sockets: TLSSocket[] = []
    try {
      const server = new TLSSocket(near, { isServer: true, secureContext: createSecureContext({ ...certificate }) })
      const client = tlsConnect({ socket: far, rejectUnauthorized: false })
      sockets.push(server, client)
      server.on('error', complain)
      client.on('error', complain)
      client.once('secureConnect', () => resume(Effect.succeed(undefined)))
    } catch (error) {
      complain(error as Error)
    }
    return Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
    })
  }).pipe(
    Effect.timeoutOrElse({
      duration: HANDSHAKE_LIMIT,
      orElse: () => Effect.succeed('no TLS handshake succeeds with it'),
    }),
  )
