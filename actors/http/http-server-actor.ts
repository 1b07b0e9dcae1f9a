// The HTTP server, listening.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type BoundAddress,
  type HttpServerEffects,
  type HttpServerEvent,
  httpServerMachine,
} from '../../machines/http/http-server-machine.ts'
import { fromScoped } from '../run.ts'

/** A server that listens. ended: fails when it stops doing so by itself. */
export interface ListeningServer {
  readonly address: BoundAddress
  readonly ended: Effect.Effect<never, Fault>
}

/** Binds; ends all connections and closes with the scope. */
export type ServeHttp = Effect.Effect<ListeningServer, Fault, Scope.Scope>

/** The server machine with its effects. */
export const httpServerActor = (serveHttp: ServeHttp) =>
  httpServerMachine.provide({
    actors: {
      serve: fromScoped<never, void, HttpServerEvent>((_, { send }) =>
        Effect.gen(function* () {
          const { address, ended } = yield* serveHttp
          send({ type: 'http.bound', address })
          return yield* ended
        }),
      ),
    } satisfies Required<HttpServerEffects>,
  })
