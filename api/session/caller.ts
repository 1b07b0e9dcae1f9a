// Who sends a request: somebody with a token, a browser that is signed in, or anybody.
import type { FastifyRequest } from 'fastify'
import type { TokenState } from '../../machines/http/access.ts'
import type { Session } from '../../machines/http/session.ts'
import { onlyReads } from '../endpoints/only-reads.ts'
import { secretsIn } from './cookie.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/**
 * token: what the request counts as. session: of the browser that sent it, if it counts. unproven: a session came along that does not count, since
 * nothing proves that a page of this device sent the request.
 */
export interface Caller {
  readonly token: TokenState
  readonly session: Session | null
  readonly unproven: boolean
}

/** What callers are told by. verifyToken: compares in constant time. */
export interface Identification {
  readonly verifyToken: (token: string) => Promise<boolean> | boolean
  readonly sessions: Sessions
}

/** Somebody of whom nothing is known. */
export const ANYBODY: Caller = { token: 'none', session: null, unproven: false }

/** authority: the host that the request means. A token that is sent decides, whatever cookie comes with it. */
export const callerOf = async (
  request: FastifyRequest,
  authority: string,
  { verifyToken, sessions }: Identification,
): Promise<Caller> => {
  const { authorization, cookie } = request.headers
  const token = /^bearer +([\w.~+/=-]{1,512})$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined) return { ...ANYBODY, token: (await verifyToken(token)) ? 'valid' : 'invalid' }
  const found = secretsIn(cookie, isSecure(request)).map((secret) => sessions.find(secret))
  const session = found.find((each) => each !== undefined)
  if (!session) return ANYBODY // an old cookie is nobody's mistake: browsers send it by themselves
  if (onlyReads(request) || isOurPage(request, authority)) return { token: 'valid', session, unproven: false }
  return { ...ANYBODY, unproven: true }
}

/** Whether a request came over TLS. */
export const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === 'https'

/**
 * Whether a browser says that a page of this very origin sent the request. Cookies go with whatever a browser sends here, also for pages on another
 * port of this host; a cookie alone proves nothing about who wanted a change.
 */
const isOurPage = (request: FastifyRequest, authority: string): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers
  return site === 'same-origin' || origin?.toLowerCase() === `${request.protocol}://${authority.toLowerCase()}`
}
