// The HTTP server: one fastify instance with everything in it. It lives as long as the api actor that started it.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'
import type { Directory } from '../../actors/directory.ts'
import type { RequestKeeper } from '../../actors/requests/request-keeper.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { pathOfTarget } from '../../machines/http/access.ts'
import type { AskInside } from '../../machines/http/inside.ts'
import { PEER_SERVER_NAME } from '../../machines/interdevice/server-name.ts'
import type { Latest } from '../../machines/latest.ts'
import { addressText } from '../../machines/nt4/target.ts'
import { PONGS } from '../../machines/websocket/pongs.ts'
import { type IdentityPort, keptIdentity } from '../../native/identity/port.ts'
import { serveInTurns } from '../../native/sockets/reading.ts'
import { noteClientCertificates } from '../connections/client-certificates.ts'
import { watchConnections } from '../connections/connections.ts'
import { limitRequests, MAX_REQUEST_MS } from '../connections/request-limit.ts'
import type { Area } from '../endpoints/endpoint.ts'
import { protocolOf } from '../endpoints/feed.ts'
import { MAX_BODY_BYTES } from '../json-body/read.ts'
import { fault, pathOf, sendProblem } from '../problems/problem.ts'
import type { SignIn } from '../session/area.ts'
import { guard } from './access.ts'
import { guardReads } from './foreign-pages.ts'
import { Insiders } from './insiders.ts'
import { packAnswers } from './packing.ts'
import { answerErrors, faultOf, type Log } from './refusals.ts'
import { opensRoom } from './rooms-of-page.ts'
import { mount, patternOf } from './routes.ts'
import { answerAndClose, answerLate, answerUnreadable } from './unreadable.ts'

/** What the API needs. */
export interface ApiParts {
  readonly directory: Directory
  /** Remembers the ones that may be repeated, one for all servers. */
  readonly requests: RequestKeeper
  /** Makes those of one server; may have to load them. */
  readonly areas: () => readonly Area[] | Promise<readonly Area[]>
  /** One for all servers of this device. */
  readonly signIn: SignIn
  /** Of this device, besides its addresses and `localhost`. */
  readonly hostNames: () => readonly string[]
  /** Of foreign pages that may write and listen (`https://dash.example:8080`); default none. */
  readonly origins?: readonly string[]
  /** PEM texts, to be spoken to over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Who this device is, to others; over TLS they see its certificate. */
  readonly identity: Pick<IdentityPort, 'now'>
  /** Told how to ask it from inside; of one server alone. */
  readonly inside?: Latest<AskInside | undefined>
  /** For bugs. */
  readonly log?: Log
  /** Enters who floods in the error history. */
  readonly record?: (fault: Fault) => void
}

const HEADERS_LIMIT_MS = 10_000
const HANDSHAKE_LIMIT_MS = 10_000 // of TLS; Node would wait two minutes
const CHECK_EVERY_MS = 2_000
const IDLE_LIMIT_MS = 65_000 // between two requests
const MAX_URL_CHARACTERS = 8_192
const MAX_MESSAGE_BYTES = 4_096 // nobody has anything to say on a feed

/** Who vanished while there was nothing to tell is noticed by the system, half a minute later or so. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 10_000 }

/** Who says that nothing more comes is answered, over TLS as well: by itself Node does so over plain HTTP alone. */
const HALF_OPEN = { allowHalfOpen: true }

/** The server, ready to listen. `close()` ends it within a second, viewers or not. */
export const createApi = async (parts: ApiParts): Promise<FastifyInstance> => {
  const {
    directory,
    requests,
    signIn,
    hostNames: names,
    origins = [],
    tls,
    identity,
    inside,
    log = () => {},
    record = () => {},
  } = parts
  const areas = await parts.areas()
  const endpoints = areas.flatMap((area) => area.endpoints)
  const feeds = endpoints.filter(({ feed }) => feed).map((each) => ({ pattern: patternOf(each), feed: each.feed }))
  const feedAt = (url: string) => feeds.find(({ pattern }) => pattern.test(pathOf(pathOfTarget(url))))

  const isRoom = opensRoom(endpoints)

  const connections = {
    ...KEEP_ALIVE,
    headersTimeout: HEADERS_LIMIT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    requireHostHeader: false, // the gate says it in a problem document
    shouldUpgradeCallback: ({ url = '', headers }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === 'websocket' && feedAt(url) !== undefined,
  }

  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: MAX_REQUEST_MS,
    keepAliveTimeout: IDLE_LIMIT_MS,
    forceCloseConnections: true,
    return503OnClosing: false, // its body is not a problem document
    routerOptions: { maxParamLength: MAX_URL_CHARACTERS }, // a long id is unknown like any other
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
    genReqId: requestId,
    // the gate sees it as it came
    rewriteUrl: (request) => {
      const path = pathOfTarget(request.url ?? '/')
      return isRoom(request, path) ? '/' : path
    },
    frameworkErrors: (error, request, reply) => sendProblem(reply, faultOf(error, request)),
    clientErrorHandler: answerUnreadable,
    ...(tls ? { https: { ...connections, ...tls, ...HALF_OPEN, ...forDevices(identity) } } : { http: connections }),
  }) as unknown as FastifyInstance // over TLS or not, the requests are the same; fastify types them apart
  // First of all: the gate has to know which requests are upgrades.
  await app.register(websocket, {
    options: {
      ...PONGS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      handleProtocols: (offered: Set<string>, { url = '' }: IncomingMessage) => protocolOf(feedAt(url)?.feed, offered),
    },
    errorHandler: (_error, socket) => socket.terminate(), // the client broke the protocol, or is gone
    preClose: (done) => {
      for (const { close } of areas) close?.()
      done()
    },
  })
  app.websocketServer.on('wsClientError', ({ message }: Error, socket: Socket) =>
    answerAndClose(socket, fault('request.malformed', message)),
  )
  // Node would answer an expectation it does not know itself, with no problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    if (request.url.length > MAX_URL_CHARACTERS)
      return sendProblem(reply, fault('url.too_long', `a URL may have ${MAX_URL_CHARACTERS} characters at most`))
  })
  serveInTurns(app.server, record)
  noteClientCertificates(app.server)
  watchConnections(app)
  limitRequests(app, answerLate)
  const insiders = new Insiders(app)
  guard(app, { ...signIn, identity, names, origins, insiders })
  guardReads(app, origins)
  packAnswers(app)
  answerErrors(app, endpoints, log)
  mount(app, endpoints, { directory, requests })
  app.addHook('onClose', async () => {
    if (inside?.value === insiders.ask) inside.set(undefined)
  })
  await app.ready()
  inside?.set(insiders.ask)
  return app
}

/**
 * How other devices are spoken to over TLS: they are shown the identity, and may show theirs. One that nobody knows is
 * no reason to break off: Node would do that without a word, and the gate answers it in a sentence.
 */
const forDevices = (identity: Pick<IdentityPort, 'now'>) => {
  let context: SecureContext | undefined
  const contextNow = (): SecureContext | undefined => {
    const own = keptIdentity(identity)
    if (own) context ??= createSecureContext({ key: own.key, cert: own.cert })
    return context
  }
  return {
    handshakeTimeout: HANDSHAKE_LIMIT_MS,
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => {
      if (name !== PEER_SERVER_NAME) return done(null)
      const shown = contextNow()
      done(shown ? null : NOBODY, shown)
    },
  }
}

/** With no certificate rather than another one: to peers that know this device another would look like an attack. */
const NOBODY = new Error('this device has no identity that it could show')

/**
 * Stands where fastify would load its own schema compilers, 50 ms at the start: api/server/routes.ts brings the one
 * that is used.
 */
const notNeeded = (): never => {
  throw new Error('a schema was given to fastify for which there is no compiler')
}

/**
 * Binds. Port 0: any free one; the answer says which. Rejects with a Fault: `http.port_taken`, `http.cannot_listen`.
 */
export const listen = async (
  app: FastifyInstance,
  at: { readonly host: string; readonly port: number },
): Promise<{ readonly host: string; readonly port: number }> => {
  try {
    await app.listen({ ...at })
  } catch (error) {
    throw listenFault(error as NodeJS.ErrnoException, addressText(at))
  }
  const { address, port } = app.server.address() as AddressInfo
  return { host: address, port }
}

const listenFault = ({ code, message }: NodeJS.ErrnoException, where: string): Fault =>
  code === 'EADDRINUSE'
    ? { code: 'http.port_taken', detail: `${where} is taken by another program; stop it, or listen elsewhere` }
    : { code: 'http.cannot_listen', detail: `cannot listen on ${where}: ${message}` }

/** The client's own X-Request-Id when it is a plain word, else a new one. */
const requestId = ({ headers }: { readonly headers: IncomingMessage['headers'] }): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}
