// Keeps what runs in step with what is wanted.
import * as Effect from 'effect/Effect'
import * as Queue from 'effect/Queue'
import type * as Scope from 'effect/Scope'

/** Subscribes to something that changes; returns the way to stop that. */
export type Watch = (changed: () => void) => () => void

/**
 * Runs `once` now, and again after each change, never two at a time; changes during a run lead to one more. Waits for the first run, then goes on
 * in the background for as long as the scope.
 */
export const converge = (
  watches: readonly Watch[],
  once: Effect.Effect<void>,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const changes = yield* Queue.sliding<void>(1)
    for (const watch of watches)
      yield* Effect.acquireRelease(
        Effect.sync(() => watch(() => Queue.offerUnsafe(changes, undefined))),
        (unwatch) => Effect.sync(unwatch),
      )
    yield* once
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(changes), once)))
  })
