// Starting a child that what comes after it needs.
import * as Effect from 'effect/Effect'
import type { AnyActorLogic, SnapshotFrom, Subscription } from 'xstate'
import { untilHeard } from '../../actors/until-heard.ts'
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
  untilHeard<void, Fault>((done) => {
    let watched: Subscription | undefined
    const observe = () => {
      const actor = supervisor.actor(child.id)
      const look = (snapshot: SnapshotFrom<L>) => {
        if (isReady(snapshot)) done(Effect.void)
      }
      watched?.unsubscribe()
      watched = actor?.subscribe(look)
      if (actor) look(actor.getSnapshot() as SnapshotFrom<L>)
    }
    const stopListening = lifecycle.add((event) => {
      if (event.id !== child.id) return
      if (event.type === 'started') observe()
      else if (event.fault) done(Effect.fail(event.fault))
    })
    Effect.runFork(supervisor.start(child))
    return () => {
      stopListening()
      watched?.unsubscribe()
    }
  })
