// One console session: its program on a terminal, in the scope of its incarnation.
import * as Effect from 'effect/Effect'
import {
  type ConsoleSessionActions,
  type ConsoleSessionEffects,
  type ConsoleSessionEvent,
  consoleSessionMachine,
} from '../../machines/console/console-session-machine.ts'
import type { ConsoleEnding, ProgramExit } from '../../machines/console/session.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { ConsolePort } from '../../native/console/port.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { RunningSession } from './console-sessions.ts'

/** What a session works with. ended: told once, when nothing of it is left. */
export interface ConsoleSessionParts {
  readonly session: RunningSession
  readonly port: ConsolePort
  readonly ended: (ending: ConsoleEnding) => void
}

export const consoleSessionActor = ({ session, port, ended }: ConsoleSessionParts) =>
  consoleSessionMachine.provide({
    actors: {
      runProgram: fromScoped<ProgramExit, void, ConsoleSessionEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          const { terminal, facts, document } = session
          yield* Effect.acquireRelease(
            Effect.sync(() => facts.add((type) => send({ type }))),
            (stop) => Effect.sync(stop),
          )
          if (session.endedBy !== undefined) {
            send({ type: 'session.end' }) // before anybody listened: no program is started
            return yield* Effect.never
          }
          if (terminal.viewer) send({ type: 'console.attached' }) // it was quick
          let tell: ((how: ProgramExit | Fault) => void) | undefined
          let how: ProgramExit | Fault | undefined
          const listener = {
            output: guard(terminal.listener.output),
            drained: guard(terminal.listener.drained),
            ended: (each: ProgramExit | Fault) => {
              how = each
              tell?.(each)
            },
          }
          const { session_id: id, program, columns, rows } = document
          const started = yield* port.start({ id, program, columns, rows }, listener)
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              terminal.program = started
            }),
            () =>
              Effect.sync(() => {
                terminal.program = undefined
              }),
          )
          send({ type: 'program.started' })
          return yield* Effect.callback<ProgramExit, Fault>((resume) => {
            tell = (each) => resume(isFault(each) ? Effect.fail(each) : Effect.succeed(each))
            if (how) tell(how)
          })
        }),
      ),
      // an effect of an actor begins when those before it have released what they held
      waitUntilGone: fromEffect(() => Effect.void),
    } satisfies Required<ConsoleSessionEffects>,
    actions: {
      showState: (_, state) => session.showState(state),
      showEnd: (_, ending) => ended(ending),
    } satisfies Required<ConsoleSessionActions>,
  })
