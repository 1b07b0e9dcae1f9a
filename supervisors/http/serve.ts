// Serving the API at an address, for as long as a scope.
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import * as Queue from 'effect/Queue'
import type * as Scope from 'effect/Scope'
import type { ServeHttp } from '../../actors/http/http-server-actor.ts'
import type { ApiParts } from '../../api/server/server.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { addressText } from '../../machines/nt4/target.ts'
import type { Certificate } from '../../native/tls/port.ts'
import type { Listen } from '../options.ts'

/** What HTTPS is served with. */
export interface Tls {
  /** Looked for at the start, and whenever `watch` says that there may be another. */
  readonly certificate: Effect.Effect<Certificate, Fault>
  readonly watch: (changed: () => void) => () => void
  /** Told when that one cannot be had; the one before is served on. */
  readonly record: (fault: Fault) => void
}

const TURNS = 3 // an engine is spawned in the second

/** Lets what has been started before get on with it. */
const giveWay = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
}

/**
 * To load and to make the API keeps this thread busy for half of the start. So it gives way first, and again in
 * between: engines are spawned and told to open their cameras, which they do meanwhile, and the first frame does not
 * wait for the API.
 */
const loadServer = Effect.promise(async () => {
  await giveWay()
  const server = await import('../../api/server/server.ts')
  await giveWay()
  return server
})

/** Serves the API at one address; over TLS when it is said with what. */
export const serveApi = (parts: ApiParts, at: Listen, tls?: Tls): ServeHttp => {
  let where = at
  return Effect.gen(function* () {
    const { createApi, listen } = yield* loadServer
    const changes = tls && (yield* changesOf(tls))
    const whole = tls ? { ...parts, tls: yield* tls.certificate } : parts
    const app = yield* Effect.acquireRelease(
      Effect.promise(() => createApi(whole)),
      (app) => Effect.promise(() => app.close()),
    )
    const address = yield* Effect.tryPromise({ try: () => listen(app, where), catch: (fault) => fault as Fault })
    where = { ...at, port: address.port } // where any port would do: one that is started again is found where it was
    const end = endOf(app.server, address)
    return { address, ended: changes ? Effect.raceFirst(end, renewals(tls, changes, app.server as TlsServer)) : end }
  })
}

/** From now on; several at once are one. */
const changesOf = ({ watch }: Tls): Effect.Effect<Queue.Queue<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const changes = yield* Queue.sliding<void>(1)
    yield* Effect.acquireRelease(
      Effect.sync(() => watch(() => Queue.offerUnsafe(changes, undefined))),
      (release) => Effect.sync(release),
    )
    return changes
  })

/** Shows newcomers the certificate that counts after each change. Open connections stay open. */
const renewals = (tls: Tls, changes: Queue.Queue<void>, server: TlsServer): Effect.Effect<never> =>
  Queue.take(changes).pipe(
    Effect.andThen(tls.certificate),
    Effect.match({ onSuccess: (certificate) => server.setSecureContext({ ...certificate }), onFailure: tls.record }),
    Effect.forever,
  )

/** A server that cannot accept connections any more, or was closed, is started again. */
const endOf = (server: Server, at: Listen): Effect.Effect<never, Fault> =>
  Effect.callback((resume) => {
    const end = (why: string) =>
      resume(Effect.fail({ code: 'http.stopped', detail: `the server at ${addressText(at)} stopped: ${why}` }))
    const [failed, closed] = [({ message }: Error) => end(message), () => end('it was closed')]
    server.on('error', failed).on('close', closed)
    return Effect.sync(() => server.off('error', failed).off('close', closed))
  })
