// A reconciler's effects: what is wanted is watched, and passes are made.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type Pass,
  type ReconcilerEffects,
  type ReconcilerEvent,
  reconcilerMachine,
} from '../../machines/supervision/reconciler-machine.ts'
import { fromEffect, fromScoped } from '../run.ts'

/** What a reconciler works with. */
export interface ReconcilerParts {
  /** Calls back after each change of what is wanted; returns the way to stop that. */
  readonly watch: (changed: () => void) => () => void
  /** Makes one pass; answers with the faults of what could not be done. */
  readonly pass: (pass: Pass) => Effect.Effect<readonly Fault[]>
}

/** The reconciler machine with its effects. Takes `child.restart`. */
export const reconcilerActor = ({ watch, pass }: ReconcilerParts) =>
  reconcilerMachine.provide({
    actors: {
      watchWanted: fromScoped<never, void, ReconcilerEvent>((_, { send, guard }) =>
        Effect.andThen(
          Effect.acquireRelease(
            Effect.sync(() => watch(guard(() => send({ type: 'wanted.changed' })))),
            (unwatch) => Effect.sync(unwatch),
          ),
          Effect.never,
        ),
      ),
      runPass: fromEffect(pass),
    } satisfies Required<ReconcilerEffects>,
  })
