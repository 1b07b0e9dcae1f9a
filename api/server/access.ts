// The gate that every request passes before anything else: does it mean this device, does it come from a page we know,
// may its sender do this?

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type AccessClass, accessFault, addressedTo, originIsTrusted } from '../../machines/http/access.ts'
import { toOthers } from '../../machines/identity/no-identity.ts'
import { DEVICE_HEADER } from '../../machines/interdevice/device-header.ts'
import { hasScript } from '../../machines/pipeline/script-in.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Peer } from '../../machines/trust/peer.ts'
import type { IdentityPort } from '../../native/identity/port.ts'
import { addVary } from '../endpoints/negotiation.ts'
import { onlyReads } from '../endpoints/only-reads.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { AdmittedSockets } from '../session/admitted-sockets.ts'
import type { SignIn } from '../session/area.ts'
import { ANYBODY, callerOf } from '../session/caller.ts'
import { administratorFault, askerOf, refusalSentence } from '../session/refusal.ts'
import type { Insiders } from './insiders.ts'
import { endpointOf } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The host that the request means, as it was written: one of ours, with the port. */
    authority: string
  }
}

/** What the gate goes by. */
export interface AccessRules extends SignIn {
  /** Requests from inside. */
  readonly insiders: Pick<Insiders, 'callerOf'>
  /** Who this device is. */
  readonly identity: Pick<IdentityPort, 'now'>
  /** Of it, besides its addresses. */
  readonly names: () => readonly string[]
  /** Of foreign pages that may write. */
  readonly origins: readonly string[]
}

/** Puts the gate in front of every route. */
export const guard = (app: FastifyInstance, rules: AccessRules): void => {
  const admitted = new AdmittedSockets([(look) => rules.sessions.onEnd(look), (look) => rules.peers.onChange(look)])
  app.addHook('onClose', async () => admitted.close())
  app.decorateRequest('caller')
  app.decorateRequest('authority', '')
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller = ANYBODY
    const { origin } = request.headers
    if (origin && rules.origins.includes(origin)) {
      addVary(reply, 'Origin')
      reply.headers({ ...FOR_LISTED_PAGES, 'access-control-allow-origin': origin })
    }
    const authority = authorityOf(request, rules)
    if (isFault(authority)) return sendProblem(reply, authority)
    request.authority = authority
    const refusal =
      originFault(request, authority, rules) ??
      otherDeviceFault(request, rules) ??
      (await tokenFault(request, reply, authority, rules, admitted))
    if (refusal) return sendProblem(reply, refusal)
  })
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    const refusal = scriptFault(request, rules)
    if (refusal) return sendProblem(reply, refusal)
  })
}

/**
 * A script is code that this device is to run, whatever is sent with it and wherever it is put: only administrators may
 * send one. Anybody may read one.
 */
const scriptFault = (request: FastifyRequest, { policy }: AccessRules): Fault | undefined => {
  const endpoint = endpointOf(request)
  if (!endpoint || endpoint.kind === 'read') return undefined
  const what = 'a script is code that this device runs, so that it takes an administrator'
  const refusal = administratorFault(policy, request, what)
  // what is sent is looked through only where it matters
  return refusal && hasScript(request.body) ? refusal : undefined
}

/** What a foreign page may send: whatever a row reads. */
const SENT_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'Range', 'X-Request-Id'],
  ...['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
]

/** What a foreign page may read: whatever a row answers with. */
const SHOWN_HEADERS = [
  ...['ETag', 'Location', 'Retry-After', 'Idempotent-Replayed', 'X-Request-Id'],
  ...['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'X-Captured-Us', 'X-Sequence', 'X-Timestamp'],
  ...['Tus-Resumable', 'Upload-Length', 'Upload-Offset'],
]

/** Browsers let a foreign page read what carries these. */
const FOR_LISTED_PAGES = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': SENT_HEADERS.join(', '),
  'access-control-expose-headers': SHOWN_HEADERS.join(', '),
}

/** The host that a request means, which is one of ours. */
const authorityOf = ({ originalUrl, raw }: FastifyRequest, { names }: AccessRules): string | Fault => {
  const hosts = raw.rawHeaders.filter((_, n) => n % 2 === 1 && raw.rawHeaders[n - 1]?.toLowerCase() === 'host')
  const found = addressedTo(originalUrl, hosts, names())
  if (found.outcome === 'ours') return found.authority
  if (found.outcome === 'host.missing') return fault(found.outcome, 'every request must have a Host header')
  if (found.outcome === 'host.repeated')
    return fault(found.outcome, `a request must have one Host header, and this one has ${hosts.length}`)
  return fault(
    found.outcome,
    `this device is not called ${JSON.stringify(found.authority)}; use its address, or one of its names`,
  )
}

const originFault = (request: FastifyRequest, authority: string, { origins }: AccessRules): Fault | undefined => {
  const { origin } = request.headers
  if (origin === undefined || onlyReads(request) || originIsTrusted(origin, authority, origins)) return undefined
  return fault('origin.foreign', `pages from ${origin} may not change anything here, nor listen`)
}

/**
 * Another device may have asked for one that had this address before. Before its token is looked at, which is none of
 * this device.
 */
const otherDeviceFault = (request: FastifyRequest, { identity }: AccessRules): Fault | undefined => {
  const meant = request.headers[DEVICE_HEADER]
  if (meant === undefined || endpointOf(request)?.access !== 'peer') return undefined
  const own = identity.now()
  if (isFault(own)) return toOthers(own)
  if (meant === own.device_id) return undefined
  return fault(
    'peer.other_device',
    oneLine`
      this is the device ${own.device_id}, and another one is meant (${DEVICE_HEADER}), which had this address before,
      or is said to have it; nothing was done
    `,
  )
}

/**
 * The access class of a row. An unknown path has `read`, or `peer` below the paths for devices, where a newer device
 * may ask for it.
 */
const accessOf = (request: FastifyRequest): AccessClass =>
  endpointOf(request)?.access ?? (FOR_DEVICES.test(request.url) ? 'peer' : 'read')

const FOR_DEVICES = /^\/v1\/interdevice\//

/** A device that goes where it has no business may have been taken over: it is named. */
const notHere = (code: Fault['code'], { id, name }: Peer, sentence: string): Fault => ({
  code,
  detail: `${name} (${id}) is refused: ${sentence}`,
})

const NO_END = fault('plugin.not_granted', 'what never ends is not for plugins: `watch` tells them of results')

const tokenFault = async (
  request: FastifyRequest,
  reply: FastifyReply,
  authority: string,
  rules: AccessRules,
  admitted: AdmittedSockets,
): Promise<Fault | undefined> => {
  if (request.method === 'OPTIONS') return undefined // a browser asks before it sends the token
  const plugin = rules.insiders.callerOf(request)
  const caller = plugin ? { ...ANYBODY, plugin } : await callerOf(request, authority, rules)
  request.caller = caller
  const { policy, wrongTokens, peers } = rules
  const access = accessOf(request)
  const asker = askerOf(request)
  const code = accessFault(policy, access, asker)
  if (code === 'token.invalid' || (access === 'peer' && caller.distrust)) {
    reply.header('connection', 'close')
    return peers.refused(request.ip, caller.distrust ?? (await wrongTokens.refusal(request.ip, reply)))
  }
  const { session, peer } = caller
  if (plugin && (endpointOf(request)?.answer.endless || endpointOf(request)?.feed)) return NO_END
  if (code) {
    const sentence = refusalSentence(code, caller.unproven, policy)
    return peer ? peers.refused(request.ip, notHere(code, peer, sentence)) : fault(code, sentence)
  }
  const { socket } = request.raw
  if (peer) admitted.add(socket, { isGood: () => peers.isGood(peer), isCutOff: true })
  else if (session && accessFault(policy, access, { ...asker, token: 'none' }))
    admitted.add(socket, { isGood: () => rules.sessions.isGood(session), isCutOff: false })
  return undefined
}
