// The only bridge from Effect programs to the effects a machine invokes. It owns the fibre of every program from the
// entry of its state until it has released what it held. Beside it, programs for callers that wait for an answer and
// take a fault as one.
import * as Cause from 'effect/Cause'
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import type * as Scope from 'effect/Scope'
import { type AnyActorRef, type AnyEventObject, type EventObject, fromPromise } from 'xstate'
import { type Fault, isFault } from '../machines/errors/fault.ts'

/**
 * The body of an effect with one answer: its success is the machine's `onDone`, its fault `onError`.
 *
 * Leaving the state interrupts the program. A program started while another of the same actor is still being
 * interrupted waits for that one's finalizers, so a state never finds its port or file still in use. A bug in the
 * program (a throw) crashes the actor whatever `onError` says.
 */
export const fromEffect = <Output, Input = void>(program: (input: Input) => Effect.Effect<Output, Fault>) =>
  fromPromise<Output, Input>((invoked) => run(invoked, () => program(invoked.input)))

/** Succeeds with what was found, and fails with a fault. */
export const orFail = <Value>(found: Value | Fault): Effect.Effect<Value, Fault> =>
  isFault(found) ? Effect.fail(found) : Effect.succeed(found)

/** Succeeds with what a promise answers, and fails with a fault. The promise never rejects. */
export const answerOrFail = <Value>(ask: () => Promise<Value | Fault>): Effect.Effect<Value, Fault> =>
  Effect.flatMap(Effect.promise(ask), orFail)

/** How a scoped program talks to its machine. */
export interface Talk<Event extends EventObject = AnyEventObject> {
  /** Sends a fact to the machine; does nothing once the state was left. */
  readonly send: (event: Event) => void
  /** Whether the state was not left yet: what is heard after that need not be looked at. */
  readonly isCurrent: () => boolean
  /**
   * Wraps a listener that is called from outside (a socket, a port): its throw crashes the actor instead of the
   * process.
   */
  readonly guard: <Values extends readonly unknown[]>(
    listener: (...values: Values) => void,
  ) => (...values: Values) => void
}

/**
 * The body of an effect that lives as long as its state and talks back: a connection, a subscription, a running child
 * process.
 *
 * Its scope closes when the state is left, when the program ends and when the actor crashes. Most such programs end
 * with `Effect.never`.
 */
export const fromScoped = <Output, Input = void, Event extends EventObject = AnyEventObject>(
  program: (input: Input, talk: Talk<Event>) => Effect.Effect<Output, Fault, Scope.Scope>,
) =>
  fromPromise<Output, Input>((invoked) => {
    const send = (event: Event) => {
      if (isCurrent(invoked)) parentOf(invoked)?.send(event)
    }
    const guard: Talk<Event>['guard'] =
      (listener) =>
      (...values) => {
        try {
          listener(...values)
        } catch (bug) {
          if (isCurrent(invoked)) crash(invoked, bug)
        }
      }
    return run(invoked, () =>
      Effect.scoped(program(invoked.input, { send, guard, isCurrent: () => isCurrent(invoked) })),
    )
  })

/** Takes something and keeps it for as long as the scope is open. */
export const keep = <Thing>(
  take: () => Thing,
  release: (thing: Thing) => void,
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.andThen(
    Effect.acquireRelease(Effect.sync(take), (thing) => Effect.sync(() => release(thing))),
    Effect.never,
  )

/** Ends a program that takes longer than `limit` with a fault: no effect waits for ever. */
export const within =
  (limit: Duration.Input, fault: Fault) =>
  <Output, Failure, Needs>(
    program: Effect.Effect<Output, Failure, Needs>,
  ): Effect.Effect<Output, Failure | Fault, Needs> =>
    Effect.timeoutOrElse(program, { duration: limit, orElse: () => Effect.fail(fault) })

/**
 * Interrupts all programs of a root actor and its children, waits until they have released what they held, and lets no
 * further one start.
 *
 * The supervisor calls it at the end of an incarnation: an actor that crashes does not stop what it invoked.
 */
export const endEffects = (actor: AnyActorRef): Effect.Effect<void> =>
  Effect.suspend(() => {
    const programs = programsOf(actor.system)
    programs.ended = true
    return Fiber.interruptAll([...programs.running, ...programs.leaving])
  })

type AnyFiber = Fiber.Fiber<unknown, unknown>
type System = AnyActorRef['system']

interface Programs {
  readonly running: Set<AnyFiber>
  readonly leaving: Set<AnyFiber>
  ended: boolean
}

/** Per actor system, that is per root actor: one incarnation has one. */
const systems = new WeakMap<System, Programs>()

const programsOf = (system: System): Programs => {
  const known = systems.get(system)
  if (known) return known
  const programs: Programs = { running: new Set(), leaving: new Set(), ended: false }
  systems.set(system, programs)
  return programs
}

interface Invoked {
  readonly self: AnyActorRef
  readonly system: System
  readonly signal: AbortSignal
}

const parentOf = (invoked: Invoked): AnyActorRef | undefined => invoked.self._parent

const isCurrent = ({ signal, system }: Invoked): boolean => !signal.aborted && !programsOf(system).ended

/** No machine handles this event, so xstate puts the machine into its error status, as it does for a throw. */
const crash = (invoked: Invoked, bug: unknown): void =>
  parentOf(invoked)?.send({ type: 'xstate.error.actor.bug', error: bug } as EventObject)

const run = <Output>(invoked: Invoked, program: () => Effect.Effect<Output, Fault>): Promise<Output> =>
  new Promise((resolve, reject) => {
    const programs = programsOf(invoked.system)
    if (programs.ended) return
    const afterRelease = programs.leaving.size === 0 ? Effect.void : Fiber.awaitAll([...programs.leaving])
    const fiber = Effect.runFork(Effect.andThen(afterRelease, Effect.suspend(program)), { signal: invoked.signal })
    const leave = () => {
      programs.running.delete(fiber)
      programs.leaving.add(fiber)
    }
    programs.running.add(fiber)
    invoked.signal.addEventListener('abort', leave, { once: true })
    fiber.addObserver((exit) => {
      programs.running.delete(fiber)
      programs.leaving.delete(fiber)
      invoked.signal.removeEventListener('abort', leave)
      if (Exit.isSuccess(exit)) return resolve(exit.value)
      if (Cause.hasDies(exit.cause) && isCurrent(invoked)) crash(invoked, Cause.squash(exit.cause))
      reject(Cause.squash(exit.cause))
    })
  })

/** What a program has found, or its fault. A bug in it rejects. */
export const answerOf = <Value>(
  program: Effect.Effect<Value, Fault>,
  options?: Effect.RunOptions,
): Promise<Value | Fault> =>
  Effect.runPromise(
    Effect.match(program, { onSuccess: (value): Value | Fault => value, onFailure: (fault) => fault }),
    options,
  )

/** The same until a signal interrupts it. interrupted: what is answered then. */
export const answerUntil = async <Value>(
  signal: AbortSignal,
  program: Effect.Effect<Value, Fault>,
  interrupted: () => Fault,
): Promise<Value | Fault> => {
  try {
    return await answerOf(program, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
    return interrupted()
  }
}
