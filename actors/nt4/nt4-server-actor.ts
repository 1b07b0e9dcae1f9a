// The embedded NT4 server, listening.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type Nt4ServerActions,
  type Nt4ServerEffects,
  type Nt4ServerEvent,
  nt4ServerMachine,
} from '../../machines/nt4/nt4-server-machine.ts'
import { addressText, type Nt4Address } from '../../machines/nt4/target.ts'
import type { Nt4Port } from '../../native/nt4/port.ts'
import { fromScoped, within } from '../run.ts'

/** What the server works with. */
export interface Nt4ServerParts {
  readonly nt4: Pick<Nt4Port, 'serve'>
  /** Where persistent topics are kept; null: nowhere. */
  readonly persistentFile: string | null
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

const BIND_LIMIT = '5 seconds' // includes reading the persistent topics and looking up a host name

/** The server machine with its effects. */
export const nt4ServerActor = ({ nt4, persistentFile, record }: Nt4ServerParts) =>
  nt4ServerMachine.provide({
    actions: {
      record: ({ context }) => {
        if (context.fault) record(context.fault)
      },
    } satisfies Required<Nt4ServerActions>,
    actors: {
      holdServer: fromScoped<never, Nt4Address, Nt4ServerEvent>(({ host, port }, { send }) =>
        Effect.gen(function* () {
          const stuck: Fault = {
            code: 'nt4.not_listening',
            detail: `the NT4 server did not get to listen on ${addressText({ host, port })}`,
          }
          const server = yield* nt4.serve({ host, port, persistentFile }, record).pipe(within(BIND_LIMIT, stuck))
          send({ type: 'server.bound', at: { host: server.host, port: server.port } })
          return yield* Effect.never
        }),
      ),
    } satisfies Required<Nt4ServerEffects>,
  })
