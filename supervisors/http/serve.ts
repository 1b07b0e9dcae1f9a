// Serving the API at an address, for as long as a scope.
import type { Server } from 'node:http'
import * as Effect from 'effect/Effect'
import type { ServeHttp } from '../../actors/http/http-server-actor.ts'
import { type ApiParts, createApi, listen } from '../../api/server/server.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { addressText } from '../../machines/nt4/target.ts'
import type { Certificate } from '../../native/tls/port.ts'
import type { Listen } from '../options.ts'

/** Serves the API at one address; over TLS when a certificate is given. */
export const serveApi = (parts: ApiParts, at: Listen, certificate?: Effect.Effect<Certificate, Fault>): ServeHttp => {
  let where = at
  return Effect.gen(function* () {
    const whole = certificate ? { ...parts, tls: yield* certificate } : parts
    const app = yield* Effect.acquireRelease(
      Effect.promise(() => createApi(whole)),
      (app) => Effect.promise(() => app.close()),
    )
    const address = yield* Effect.tryPromise({ try: () => listen(app, where), catch: (fault) => fault as Fault })
    where = { ...at, port: address.port } // where any port would do: one that is started again is found where it was
    return { address, ended: endOf(app.server, address) }
  })
}

/** A server that cannot accept connections any more, or was closed by whomever, is started anew. */
const endOf = (server: Server, at: Listen): Effect.Effect<never, Fault> =>
  Effect.callback((resume) => {
    const end = (why: string) =>
      resume(Effect.fail({ code: 'http.stopped', detail: `the server at ${addressText(at)} stopped: ${why}` }))
    const [failed, closed] = [({ message }: Error) => end(message), () => end('it was closed')]
    server.on('error', failed).on('close', closed)
    return Effect.sync(() => server.off('error', failed).off('close', closed))
  })
