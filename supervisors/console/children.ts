// One supervised child for each console session. It is run once: whatever ends its incarnation ends the session.
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { consoleSessionActor } from '../../actors/console/console-session-actor.ts'
import type { ConsoleSessions } from '../../actors/console/console-sessions.ts'
import type { consoleSessionMachine } from '../../machines/console/console-session-machine.ts'
import type { ConsoleEnding } from '../../machines/console/session.ts'
import { faultOf } from '../../machines/errors/fault.ts'
import type { ConsolePort } from '../../native/console/port.ts'
import { Crash, type Incarnate } from '../supervision/incarnation.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild } from '../supervision/supervisor.ts'

/** The name of the reconciler of console sessions, and what the ids of its children begin with. */
const CONSOLES = 'consoles'

/** Which sessions are to run, and how. */
export const consoleChildren = (consoles: ConsoleSessions, port: ConsolePort): WantedChildren<string> => ({
  name: CONSOLES,
  watch: (changed) => consoles.watch(changed),
  wanted: () => new Map(consoles.ids().map((id) => [`${CONSOLES}/${id}`, id])),
  isSame: () => true,
  start: (child, id) => anyChild({ id: child, incarnate: incarnateSession(consoles, port, id) }),
})

const incarnateSession = (
  consoles: ConsoleSessions,
  port: ConsolePort,
  id: string,
): Incarnate<typeof consoleSessionMachine> =>
  Effect.gen(function* () {
    const session = consoles.get(id)
    if (!session?.begin()) return yield* Effect.never // it has been run: it is about to be stopped
    // Runs when the actor has ended and all that the session held is released.
    yield* Effect.addFinalizer((exit) => Effect.sync(() => consoles.ended(id, endOf(exit))))
    return { logic: consoleSessionActor({ session, port, ended: (ending) => consoles.ended(id, ending) }) }
  })

/** How a session ends that has not said so itself. */
const endOf = (exit: Exit.Exit<unknown, unknown>): ConsoleEnding => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return { reason: 'stopped' }
  const reason = Cause.squash(exit.cause)
  return { reason: 'failed', detail: (reason instanceof Crash ? reason.fault : faultOf(reason)).detail }
}
