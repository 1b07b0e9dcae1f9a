// Starting a child that what comes after it needs.
import * as Effect from 'effect/Effect'
import type { AnyActorLogic, SnapshotFrom } from 'xstate'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Listeners } from '../../machines/listeners.ts'
import type { Child, LifecycleEvent, Supervisor } from './supervisor.ts'

/** A supervisor, and where it tells of the lifecycle of its children. */
export interface Supervised {
  readonly supervisor: Supervisor
  readonly lifecycle: Listeners<LifecycleEvent>
}

/**
 * Starts a child and waits until it is ready. Fails with the fault when its first incarnation ends before; the
 * supervisor goes on trying, so a caller to whom the child is not essential may ignore that.
 */
export const startAndWait = <L extends AnyActorLogic>(
  { supervisor, lifecycle }: Supervised,
  child: Child<L>,
  isReady: (snapshot: SnapshotFrom<L>) => boolean,
): Effect.Effect<void, Fault> =>
  Effect.callback<void, Fault>((resume) => {
    const end = (effect: Effect.Effect<void, Fault>) => {
      stopListening()
      resume(effect)
    }
    const observe = () => {
      const actor = supervisor.actor(child.id)
      const look = (snapshot: SnapshotFrom<L>) => {
        if (isReady(snapshot)) end(Effect.void)
      }
      actor?.subscribe(look)
      if (actor) look(actor.getSnapshot() as SnapshotFrom<L>)
    }
    const stopListening = lifecycle.add((event) => {
      if (event.id !== child.id) return
      if (event.type === 'started') observe()
      else if (event.fault) end(Effect.fail(event.fault))
    })
    Effect.runFork(supervisor.start(child))
    return Effect.sync(stopListening)
  })
