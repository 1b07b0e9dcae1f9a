// Who sends a request: a client with a token, a browser that is signed in, another device, or anybody.

import type { FastifyRequest } from 'fastify'
import type { Fault } from '../../machines/errors/fault.ts'
import { isLoopbackAddress, type TokenState } from '../../machines/http/access.ts'
import type { InsideCaller } from '../../machines/http/inside.ts'
import type { Session } from '../../machines/http/session.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Peer } from '../../machines/trust/peer.ts'
import { clientFingerprint } from '../connections/client-certificates.ts'
import { onlyReads } from '../endpoints/only-reads.ts'
import { fault } from '../problems/problem.ts'
import { secretsIn } from './cookie.ts'
import type { Sessions } from './sessions.ts'
import { isTrusted, type TrustedPeers } from './trusted-peers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** Who sent a request, as far as it proves it. */
export interface Caller {
  /** What the request counts as. */
  readonly token: TokenState
  /** Of the browser that sent it, if it counts. */
  readonly session: Session | null
  /** A session came along that does not count, since nothing proves that a page of this device sent the request. */
  readonly unproven: boolean
  /** The device that sent it, if it is trusted. */
  readonly peer: Peer | null
  /** The plugin of this device that sent it, if one did. */
  readonly plugin: InsideCaller | null
  /** Why what came along makes nobody a peer; null: nothing of that sort came, or it is good. */
  readonly distrust: Fault | null
}

/** What callers are told by. verifyToken: compares in constant time. */
export interface Identification {
  readonly verifyToken: (token: string) => Promise<boolean> | boolean
  readonly sessions: Sessions
  readonly peers: TrustedPeers
}

/** A sender of whom nothing is known. */
export const ANYBODY: Caller = {
  token: 'none',
  session: null,
  unproven: false,
  peer: null,
  plugin: null,
  distrust: null,
}

/** authority: the host that the request means. A token that is sent decides, whatever cookie comes with it. */
export const callerOf = async (
  request: FastifyRequest,
  authority: string,
  { verifyToken, sessions, peers }: Identification,
): Promise<Caller> => {
  const { authorization, cookie } = request.headers
  const token = /^bearer +([\w.~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined)
    return (await verifyToken(token)) ? { ...ANYBODY, token: 'valid' } : peerByToken(request, token, peers)
  const found = secretsIn(cookie, isSecure(request)).map((secret) => sessions.find(secret))
  const session = found.find((each) => each !== undefined)
  // an old cookie is nobody's mistake: browsers send it by themselves
  if (!session) return peerByCertificate(request, peers)
  if (onlyReads(request) || isOurPage(request, authority)) return { ...ANYBODY, token: 'valid', session }
  return { ...ANYBODY, unproven: true }
}

/**
 * The device that a token was given to. Its token counts for nothing but that, and only where nobody on the way can
 * read it.
 */
const peerByToken = (request: FastifyRequest, token: string, peers: TrustedPeers): Caller => {
  const found = peers.byToken(token)
  if (!found) return { ...ANYBODY, token: 'invalid' }
  if (!isTrusted(found)) return { ...ANYBODY, token: 'invalid', distrust: found }
  if (isSecure(request) || isLoopbackAddress(request.ip)) return { ...ANYBODY, peer: found }
  return { ...ANYBODY, token: 'invalid', distrust: inTheClear(found) }
}

/**
 * The device that a certificate belongs to. One that nobody knows is no mistake either, but where only devices have any
 * business.
 */
const peerByCertificate = (request: FastifyRequest, peers: TrustedPeers): Caller => {
  const fingerprint = clientFingerprint(request.raw.socket)
  if (fingerprint === undefined) return ANYBODY
  const found = peers.byFingerprint(fingerprint)
  if (isTrusted(found)) return { ...ANYBODY, peer: found }
  return { ...ANYBODY, distrust: found ?? unknown(fingerprint) }
}

const unknown = (fingerprint: string): Fault =>
  fault(
    'trust.unknown',
    oneLine`
      the certificate ${fingerprint} is not trusted here; an administrator pairs the two devices by a code that people
      compare (POST /v1/peers/pairing), or enters it here (POST /v1/peers/trust)
    `,
  )

const inTheClear = ({ id, name }: Peer): Fault =>
  fault(
    'token.in_the_clear',
    oneLine`
      the token of ${name} (${id}) came over plain HTTP, where anybody on the way can read it; it counts over TLS alone.
      Delete it and make another one
    `,
  )

/** Whether a request came over TLS. */
export const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === 'https'

/**
 * Whether a browser says that a page of this very origin sent the request. Cookies go with whatever a browser sends
 * here, also for pages on another port of this host; a cookie alone proves nothing about who wanted a change.
 */
const isOurPage = (request: FastifyRequest, authority: string): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers
  return site === 'same-origin' || origin?.toLowerCase() === `${request.protocol}://${authority.toLowerCase()}`
}
