// A child without which the service does not start.
import * as Effect from 'effect/Effect'
import type { AnyActorLogic, SnapshotFrom } from 'xstate'
import type { Fault } from '../machines/fault.ts'
import type { Lives } from './lives.ts'
import type { Child, Supervisor } from './supervisor.ts'

/** Starts a child and waits until it is ready. Fails with the fault when its first life ends before; then it is not tried again. */
export const birth = <L extends AnyActorLogic>(
  { supervisor, lives }: { readonly supervisor: Supervisor; readonly lives: Lives },
  child: Child<L>,
  isReady: (snapshot: SnapshotFrom<L>) => boolean,
): Effect.Effect<void, Fault> =>
  Effect.callback<void, Fault>((resume) => {
    const observe = () => {
      const actor = supervisor.actor(child.id)
      const look = (snapshot: SnapshotFrom<L>) => {
        if (isReady(snapshot)) resume(Effect.void)
      }
      actor?.subscribe(look)
      if (actor) look(actor.getSnapshot() as SnapshotFrom<L>)
    }
    const unsubscribe = lives.subscribe((life) => {
      if (life.id !== child.id) return
      if (life.type === 'started') observe()
      else if (life.fault) resume(Effect.andThen(supervisor.stop(child.id), Effect.fail(life.fault)))
    })
    Effect.runFork(supervisor.start(child))
    return Effect.sync(unsubscribe)
  })
