// Starts a reconciler.
import * as Effect from 'effect/Effect'
import type { RecordBugs } from './bugs.ts'
import { Reconciler, type WantedChildren } from './reconciler.ts'
import { type Supervised, startAndWait } from './start-and-wait.ts'

/**
 * Keeps children as they are wanted from now on. Waits for the first pass, whatever becomes of it: it is repeated while
 * all else runs.
 */
export const keepAsWanted = <Wanted>(
  parts: Supervised & { readonly onBug: RecordBugs },
  children: WantedChildren<Wanted>,
): Effect.Effect<void> => {
  const { child } = new Reconciler(parts.supervisor, parts.onBug, children)
  return Effect.ignore(startAndWait(parts, child, (snapshot) => !snapshot.matches('reconciling')))
}
