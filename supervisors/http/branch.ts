// The HTTP servers: one that is always there, and one over TLS where that is wanted.
import * as Effect from 'effect/Effect'
import type { ActorRefFrom } from 'xstate'
import { DIRECTORY } from '../../actors/directory.ts'
import { httpServerActor, type ServeHttp } from '../../actors/http/http-server-actor.ts'
import { REQUESTS } from '../../actors/requests/request-keeper.ts'
import type { ApiParts } from '../../api/server/server.ts'
import { SIGN_IN } from '../../api/session/area.ts'
import { Sessions } from '../../api/session/sessions.ts'
import { TrustedPeers } from '../../api/session/trusted-peers.ts'
import { WrongTokens } from '../../api/session/wrong-tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { HOST_NAME, namesOf } from '../../machines/http/host-name.ts'
import type { BoundAddress, httpServerMachine } from '../../machines/http/http-server-machine.ts'
import { INSIDE } from '../../machines/http/inside.ts'
import { TOLD_ONCE } from '../../machines/logs/redact.ts'
import { token } from '../../machines/token.ts'
import { VIEWER_PLACES, ViewerPlaces } from '../../machines/viewers/viewer-places.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { SESSION_STORE } from '../../native/session/port.ts'
import { CERTIFICATES } from '../../native/tls/port.ts'
import { TOKENS } from '../../native/tokens/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LOG, OPTIONS, RECORD, supervision } from '../composition/tokens.ts'
import { whenClockIsSet } from '../composition/when-clock-is-set.ts'
import { startAndWait } from '../supervision/start-and-wait.ts'
import type { Supervisor } from '../supervision/supervisor.ts'
import { httpPorts } from './ports.ts'
import { serveApi, type Tls } from './serve.ts'

/** Names of the children. */
const HTTP = 'http'
const HTTPS = 'https'

/** The API as both servers have it. */
export const API = token<ApiParts>('api')

/**
 * HTTP is essential: without it the process ends. HTTPS is not: it is tried again for as long as something keeps it
 * from listening.
 */
export const httpBranch = branch({
  ports: httpPorts,
  offers: [
    offer(
      SIGN_IN,
      { options: OPTIONS, tokens: TOKENS, store: SESSION_STORE, clock: CLOCK, directory: DIRECTORY, record: RECORD },
      ({ options: { profile, console }, tokens, store, clock, directory: { settings }, record }) => ({
        policy: { profile, console },
        verifyToken: tokens.verify,
        sessions: new Sessions({ kept: store.load(), keep: store.save, token: tokens.fingerprint, nowMs: clock.nowMs }),
        wrongTokens: new WrongTokens({ profile, clock }),
        peers: new TrustedPeers({ settings, clock, record }),
      }),
    ),
    offer(VIEWER_PLACES, {}, () => new ViewerPlaces()),
    offer(
      API,
      {
        directory: DIRECTORY,
        requests: REQUESTS,
        options: OPTIONS,
        signIn: SIGN_IN,
        identity: IDENTITY,
        hostName: HOST_NAME,
        log: LOG,
        record: RECORD,
      },
      ({ directory, requests, options: { origins }, signIn, identity, hostName, log, record }, resolve) => ({
        directory,
        requests,
        signIn,
        origins,
        identity,
        log,
        record,
        areas: async () => (await import('../../api/areas.ts')).allAreas(resolve),
        hostNames: () => namesOf(hostName),
      }),
    ),
  ],
  needs: {
    ...supervision,
    options: OPTIONS,
    log: LOG,
    record: RECORD,
    api: API,
    inside: INSIDE,
    tokens: TOKENS,
    certificates: CERTIFICATES,
    hostName: HOST_NAME,
    clock: CLOCK,
  },
  start: ({ options, log, record, api, inside, tokens, certificates, hostName, clock, ...supervised }) =>
    Effect.gen(function* () {
      yield* whenClockIsSet(clock, (byMs) => api.signIn.sessions.clockSet(byMs))
      if (tokens.made) log('warn', `${TOLD_ONCE} ${tokens.made}`)
      if (tokens.fault) record(tokens.fault)
      const http = { ...httpChild(HTTP, serveApi({ ...api, inside }, options.http)), isEssential: true }
      yield* startAndWait(supervised, http, (snapshot) => snapshot.matches('listening'))
      if (!options.tls) return
      const recordOfHttps = (fault: Fault) => record({ resource: HTTPS, ...fault })
      const tls: Tls = {
        certificate: certificates.load(recordOfHttps),
        watch: (changed) => hostName.subscribe(changed),
        record: recordOfHttps,
      }
      yield* supervised.supervisor.start(httpChild(HTTPS, serveApi(api, options.tls, tls)))
    }),
})

const httpChild = (id: string, serve: ServeHttp) => ({
  id,
  incarnate: Effect.sync((): { logic: typeof httpServerMachine } => ({ logic: httpServerActor(serve) })),
})

/** Where the server of a service that has started listens. */
export const addressOf = ({ actor }: Supervisor): BoundAddress => {
  const server = actor(HTTP) as ActorRefFrom<typeof httpServerMachine>
  return server.getSnapshot().context.address as BoundAddress
}
