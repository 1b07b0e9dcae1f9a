// A session with an NT4 server in the benchmark's own process, for what is to be published or read there.
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import type { Lab } from '../lab/lab.ts'

/** Connects; the session ends with the lab. */
export const sessionWith = async (lab: Pick<Lab, 'defer' | 'say'>, port: number, name: string): Promise<Nt4Session> => {
  const scope = Scope.makeUnsafe()
  lab.defer(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const report = ({ detail }: { readonly detail: string }) => lab.say(`the session ${name} says: ${detail}`)
  return Effect.runPromise(Scope.provide(wsNt4.connect({ host: '127.0.0.1', port, name }, report), scope))
}
