// A port of its own for one stream, listening.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type ExtcamPortEffects,
  type ExtcamPortEvent,
  extcamPortMachine,
} from '../../machines/extcam/extcam-port-machine.ts'
import type { ServeHttp } from '../http/http-server-actor.ts'
import { fromScoped } from '../run.ts'

/** What a port works with. record: enters a fault in the error history. */
export interface ExtcamPortParts {
  readonly serve: ServeHttp
  readonly record: (fault: Fault) => void
}

/** The machine of a port with its effects. A fault that lasts is recorded once. */
export const extcamPortActor = ({ serve, record }: ExtcamPortParts) => {
  let recorded: string | undefined
  const note = (fault: Fault) =>
    Effect.sync(() => {
      if (fault.detail !== recorded) record(fault)
      recorded = fault.detail
    })
  return extcamPortMachine.provide({
    actors: {
      serve: fromScoped<never, void, ExtcamPortEvent>((_, { send }) =>
        Effect.gen(function* () {
          const { address, ended } = yield* serve
          recorded = undefined
          send({ type: 'port.bound', address })
          return yield* ended
        }).pipe(Effect.tapError(note)),
      ),
    } satisfies Required<ExtcamPortEffects>,
  })
}
