// NT4 over WebSockets: the port as the device uses it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Nt4AccessRules } from '../../machines/nt4/access.ts'
import { addressText } from '../../machines/nt4/target.ts'
import type { Nt4Dial, Nt4Port, Nt4Report, Nt4Session } from './port.ts'
import { serve } from './server/server.ts'
import { ClientSession } from './session/session.ts'

const GOODBYE_LIMIT_MS = 300

const connect: Nt4Port['connect'] = (to, report, answered) =>
  Effect.gen(function* () {
    const session = yield* Effect.acquireRelease(dial(to, report, answered), goodbye)
    return yield* Effect.callback<Nt4Session, Fault>((resume) => {
      session.onReady(() => resume(Effect.succeed(session)))
      session.onClosed((fault) => resume(Effect.fail(fault)))
    })
  })

const dial = (to: Nt4Dial, report: Nt4Report, answered?: () => void) =>
  Effect.try({
    try: () => new ClientSession(to, report, answered),
    catch: (): Fault => ({
      code: 'nt4.unreachable',
      detail: `${addressText(to)} is not an address one can connect to`,
    }),
  })

/** Lets what was written go out, and waits GOODBYE_LIMIT_MS at most for a server that has stopped reading. */
const goodbye = (session: ClientSession) =>
  Effect.callback<void>((resume) => {
    session.onClosed(() => resume(Effect.void))
    session.close('politely')
    const timer = setTimeout(() => session.close('at-once'), GOODBYE_LIMIT_MS)
    timer.unref()
    return Effect.sync(() => clearTimeout(timer))
  })

/** Client sessions and the embedded server over real sockets. rules: who may speak to the server. */
export const webSocketNt4 = (rules: Nt4AccessRules): Nt4Port => ({
  connect,
  serve: (at, report) => serve(rules, at, report),
})
