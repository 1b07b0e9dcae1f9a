// Connections to peers. The pin is checked here, before anybody gets the socket: later would be too late for a token.
import { X509Certificate } from 'node:crypto'
import { type LookupFunction, type Socket, type TcpNetConnectOpts, connect as tcpConnect } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { PEER_SERVER_NAME } from '../../machines/interdevice/server-name.ts'
import { fingerprintOf } from '../identity/certificate.ts'
import { systemLookup } from '../names/lookup.ts'
import { readBytesInTurns, readInTurns } from '../sockets/reading.ts'
import { isSelf, noCertificate, noConnection, noHandshake, unreachable, wrongCertificate } from './faults.ts'
import type { DialOptions, PeerTarget } from './port.ts'
import { ReadBuffer } from './read-buffer.ts'

/** What this device shows of itself: PEM. */
export interface OwnCertificate {
  readonly key: string
  readonly cert: string
}

/**
 * A packet that is swallowed shall not keep anybody waiting for longer. A handshake takes a few milliseconds, on a busy
 * device some hundreds.
 */
export const DIAL_LIMIT_MS = 2_000

/** The part of a URL that a socket needs. */
export interface Place {
  readonly isTls: boolean
  readonly host: string
  readonly port: number
  /** `host:port`, for the Host header. */
  readonly authority: string
}

/** Reads an origin, which has passed its schema. */
export const placeOf = (origin: string): Place => {
  const { protocol, hostname, port } = new URL(origin)
  const isTls = protocol === 'https:'
  const number = Number(port) || (isTls ? 443 : 80)
  return { isTls, host: hostname.replace(/^\[(.*)\]$/, '$1'), port: number, authority: `${hostname}:${number}` }
}

/**
 * Makes the dialler. own: what to show, at the time of the call; null: nothing; a fault: why there is nothing to show,
 * so that nobody is called over TLS.
 */
export const diallerOf = (own: () => OwnCertificate | Fault | null) => {
  let shown: Shown | undefined
  const current = (): Shown | Fault => {
    const certificate = own()
    if (isFault(certificate)) return certificate
    if (!shown || shown.certificate !== certificate) shown = shownOf(certificate)
    return shown
  }
  return (
    target: PeerTarget,
    limitMs: number,
    { bringsMuch = false }: DialOptions = {},
  ): Effect.Effect<Socket, Fault, Scope.Scope> =>
    Effect.suspend(() => {
      const place = placeOf(target.origin)
      if (!place.isTls && target.fingerprint !== null) return Effect.fail(noCertificate(target.origin))
      const shown = place.isTls ? current() : null
      if (isFault(shown)) return Effect.fail(shown)
      return Effect.acquireRelease(
        Effect.sync(() => opened(place, shown?.context, bringsMuch ? new ReadBuffer() : undefined)),
        (socket) => Effect.sync(() => socket.destroy()),
      ).pipe(
        Effect.tap((socket) =>
          Effect.timeoutOrElse(ready(socket, place, target.origin), {
            duration: limitMs,
            orElse: () => Effect.fail(noConnection(target.origin, limitMs)),
          }),
        ),
        Effect.tap((socket) => (shown ? checked(socket as TLSSocket, target, shown.fingerprint) : Effect.void)),
      )
    })
}

interface Shown {
  readonly certificate: OwnCertificate | null
  readonly context: SecureContext
  readonly fingerprint: string | null
}

const shownOf = (certificate: OwnCertificate | null): Shown => ({
  certificate,
  context: createSecureContext({ minVersion: 'TLSv1.3', ...certificate }),
  fingerprint: certificate && fingerprintOf(new X509Certificate(certificate.cert)),
})

/**
 * secureContext: undefined: plain. No session is handed over: a resumed one would hide the certificate. Dates are not
 * looked at on purpose: the clocks of robots are wrong.
 */
const opened = (
  { host, port }: Place,
  secureContext: SecureContext | undefined,
  buffer: ReadBuffer | undefined,
): Socket => {
  const lookup = systemLookup as LookupFunction
  const where: TcpNetConnectOpts = { host, port, lookup, ...(buffer && { onread: buffer.onread }) }
  const socket = secureContext
    ? tlsConnect({ ...where, secureContext, servername: PEER_SERVER_NAME, rejectUnauthorized: false })
    : tcpConnect(where)
  if (buffer) {
    buffer.serve(socket)
    buffers.set(socket, buffer)
  }
  socket.on('error', () => {}) // its owner hears of the close; an error without a listener would end the process
  if (buffer) readBytesInTurns(socket)
  return readInTurns(socket.setNoDelay(true))
}

const buffers = new WeakMap<Socket, ReadBuffer>()

/** What a connection is read into that was dialled since it brings much. */
export const bufferOf = (socket: Socket): ReadBuffer | undefined => buffers.get(socket)

const ready = (socket: Socket, { isTls }: Place, origin: string): Effect.Effect<void, Fault> =>
  Effect.callback((resume) => {
    let isConnected = false
    const done = () => end(Effect.void)
    const connected = () => {
      isConnected = true
      if (!isTls) done()
    }
    const failed = (error?: NodeJS.ErrnoException) => {
      const why = error?.code ?? error?.message ?? 'closed'
      end(Effect.fail(isConnected && isTls ? noHandshake(origin, why) : unreachable(origin, why)))
    }
    const closed = () => failed()
    const end = (effect: Effect.Effect<void, Fault>) => {
      socket.off('connect', connected).off('secureConnect', done).off('error', failed).off('close', closed)
      resume(effect)
    }
    socket.once('connect', connected).once('secureConnect', done).once('error', failed).once('close', closed)
    return Effect.sync(() => end(Effect.void))
  })

/** Node gives the certificate of a server out once: a second question to the socket is answered that there is none. */
const fingerprints = new WeakMap<Socket, string>()

/** What was shown on a connection that the dialler made; undefined: it is not over TLS. */
export const fingerprintOn = (socket: Socket): string | undefined => fingerprints.get(socket)

/** `rejectUnauthorized: false` calls no `checkServerIdentity`, so this is the one place where a certificate counts. */
const checked = (
  socket: TLSSocket,
  { origin, fingerprint }: PeerTarget,
  own: string | null,
): Effect.Effect<void, Fault> =>
  Effect.suspend(() => {
    const certificate = socket.getPeerX509Certificate()
    if (!certificate) return Effect.fail(noHandshake(origin, 'it shows no certificate'))
    const found = fingerprintOf(certificate)
    fingerprints.set(socket, found)
    if (found === own) return Effect.fail(isSelf(origin))
    return fingerprint === null || found === fingerprint ? Effect.void : Effect.fail(wrongCertificate(origin, found))
  })
