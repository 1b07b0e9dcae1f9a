// The link with its effects: attempts at every address, and the one session that came of them, offered to the adapters
// for as long as it lives.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import {
  type HoldSession,
  type Nt4CandidateEffects,
  type Nt4CandidateEvent,
  nt4CandidateMachine,
} from '../../machines/nt4/nt4-candidate-machine.ts'
import { type Nt4LinkActions, type Nt4LinkEffects, nt4LinkMachine } from '../../machines/nt4/nt4-link-machine.ts'
import { addressText } from '../../machines/nt4/target.ts'
import type { Nt4Port, Nt4Session } from '../../native/nt4/port.ts'
import { fromScoped, within } from '../run.ts'

/** What the link works with. */
export interface Nt4LinkParts {
  readonly nt4: Pick<Nt4Port, 'connect'>
  /** Holds the session while there is one. */
  readonly slot: Latest<Nt4Session | undefined>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

const CONNECT_LIMIT = '5 seconds' // the port gives up by itself after 4; this one guards against a port that does not

/** The link machine with its effects. */
export const nt4LinkActor = ({ nt4, slot, record }: Nt4LinkParts) => {
  /**
   * The sessions that are open, by address: more than one for the moment in which the link has chosen and the others
   * are being closed.
   */
  const open = new Map<number, Nt4Session>()
  const candidate = nt4CandidateMachine.provide({
    actors: {
      holdSession: fromScoped<never, HoldSession, Nt4CandidateEvent>(({ index, at, clientName }, talk) =>
        Effect.gen(function* () {
          const unanswered: Fault = { code: 'nt4.unreachable', detail: `${addressText(at)} did not answer in time` }
          const answered = () => talk.send({ type: 'peer.answered' })
          const session = yield* nt4
            .connect({ ...at, name: clientName }, record, answered)
            .pipe(within(CONNECT_LIMIT, unanswered))
          yield* Effect.acquireRelease(
            Effect.sync(() => open.set(index, session)),
            () =>
              Effect.sync(() => {
                open.delete(index)
                if (slot.value === session) slot.set(undefined)
              }),
          )
          talk.send({ type: 'session.opened' })
          return yield* untilClosed(session)
        }),
      ),
    } satisfies Required<Nt4CandidateEffects>,
  })
  return nt4LinkMachine.provide({
    actions: {
      record: ({ context }) => {
        if (context.fault) record(context.fault)
      },
      offerSession: ({ context }) => slot.set(open.get(context.index)),
    } satisfies Required<Nt4LinkActions>,
    actors: { candidate } satisfies Required<Nt4LinkEffects>,
  })
}

const untilClosed = (session: Nt4Session): Effect.Effect<never, Fault> =>
  Effect.callback((resume) => {
    const unsubscribe = session.onClosed((fault) => resume(Effect.fail(fault)))
    return Effect.sync(unsubscribe)
  })
