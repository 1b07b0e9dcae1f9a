// Calls a listener when the wall clock of the device is set.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Clock } from '../../native/clock/port.ts'

/** From now on, as long as the scope. listener: told by how many ms it is later. */
export const whenClockIsSet = (
  clock: Pick<Clock, 'onSet'>,
  listener: (byMs: number) => void,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => clock.onSet(listener)),
      (stop) => Effect.sync(stop),
    ),
  )
