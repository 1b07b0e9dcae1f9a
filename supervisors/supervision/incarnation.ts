// One incarnation of a supervised actor: what it needs is acquired, it runs until it ends or crashes, then everything
// is released, in that order.
import * as Cause from 'effect/Cause'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import {
  Actor,
  type ActorOptions,
  type AnyActorLogic,
  type AnyActorRef,
  type Observer,
  type SnapshotFrom,
} from 'xstate'
import { endEffects } from '../../actors/run.ts'
import { type Fault, faultOf, isFault } from '../../machines/errors/fault.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { EndableTimers } from './timers.ts'

/**
 * Why an incarnation ended early. bug: what was thrown, when the fault was made from it; for the log, with its stack.
 */
export class Crash extends Data.TaggedError('Crash')<{ readonly fault: Fault; readonly bug?: unknown }> {}

/** What one incarnation runs: the actor's logic with its effects, made again each time from what was acquired. */
export interface Incarnation<L extends AnyActorLogic> {
  readonly logic: L
  readonly options?: ActorOptions<L>
}

/**
 * Acquires whatever one incarnation must release again (process, socket, container). Read the settings here: a
 * restarted actor converges on them.
 */
export type Incarnate<L extends AnyActorLogic> = Effect.Effect<Incarnation<L>, Fault, Scope.Scope>

/**
 * Runs one incarnation. Succeeds when the actor reaches a final state or is stopped, fails when it throws, cannot be
 * acquired, or ends with the output `{ outcome: 'crashed', fault }`. Its effects have ended and its scope is released
 * before this does. onBug: told of what one of the actor's observers threw.
 */
export const runOnce = (
  incarnate: Incarnate<AnyActorLogic>,
  onBug: OnBug,
  started: (actor: AnyActorRef) => Effect.Effect<void>,
): Effect.Effect<void, Crash> =>
  Effect.gen(function* () {
    const { logic, options = {} } = yield* incarnate
    const actor = yield* Effect.acquireRelease(
      Effect.sync(() => new SupervisedActor(logic, options, onBug)),
      (actor) =>
        Effect.andThen(
          Effect.sync(() => actor.stop()),
          endEffects(actor),
        ),
    )
    const end = watch(actor)
    actor.start()
    yield* started(actor)
    yield* end
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause as Cause.Cause<never>) : Effect.fail(crashOf(cause)),
    ),
  )

/**
 * An actor whose crash is the supervisor's alone to handle, and ends all that it spawned; whose observers' throws are
 * nobody's crash.
 *
 * xstate raises an uncaught exception, which ends the process, when an observer or a listener throws, and also as soon
 * as one of the observers of an actor that crashes has no error listener.
 */
class SupervisedActor extends Actor<AnyActorLogic> {
  readonly #onBug: OnBug

  constructor(logic: AnyActorLogic, options: ActorOptions<AnyActorLogic>, onBug: OnBug) {
    const timers = new EndableTimers(options.clock)
    super(logic, { ...options, clock: timers })
    this.#onBug = onBug
    super.subscribe({ error: () => timers.end() })
  }

  override subscribe(
    next?: Observer<SnapshotFrom<AnyActorLogic>> | ((snapshot: SnapshotFrom<AnyActorLogic>) => void),
    error?: (bug: unknown) => void,
    complete?: () => void,
  ) {
    const observer = typeof next === 'object' ? next : { next, error, complete }
    return super.subscribe({
      next: (snapshot) => this.#guard(() => observer.next?.(snapshot)),
      error: (bug) => this.#guard(() => observer.error?.(bug)),
      complete: () => this.#guard(() => observer.complete?.()),
    })
  }

  override on: Actor<AnyActorLogic>['on'] = (type, listener) =>
    super.on(type, (emitted) => this.#guard(() => listener(emitted)))

  #guard(observe: () => void): void {
    try {
      observe()
    } catch (bug) {
      this.#onBug(bug)
    }
  }
}

/** Observes from now on, and waits for the end when run. */
const watch = (actor: SupervisedActor): Effect.Effect<void, Crash> => {
  let end: Effect.Effect<void, Crash> | undefined
  let report = (effect: Effect.Effect<void, Crash>) => {
    end ??= effect
  }
  actor.subscribe({
    error: (bug) => report(Effect.fail(new Crash({ fault: faultOf(bug), bug }))),
    complete: () => report(endOf(actor)),
  })
  return Effect.callback((resume) => {
    report = resume
    if (end) resume(end)
  })
}

const endOf = (actor: AnyActorRef): Effect.Effect<void, Crash> => {
  const { output } = actor.getSnapshot() as { output?: { outcome?: unknown; fault?: unknown } }
  return output?.outcome === 'crashed' ? Effect.fail(new Crash({ fault: faultOf(output.fault) })) : Effect.void
}

const crashOf = (cause: Cause.Cause<Crash | Fault>): Crash => {
  const reason = Cause.squash(cause)
  if (reason instanceof Crash) return reason
  return new Crash(isFault(reason) ? { fault: reason } : { fault: faultOf(reason), bug: reason })
}
