// Time under the test's control, and waiting for what the test caused instead of for a while.
import { type Actor, type AnyActorLogic, SimulatedClock, type SnapshotFrom, waitFor } from 'xstate'
import { arrival } from '../until.ts'

/** The clock for `createActor(logic, { clock })`: `after` delays elapse only by `clock.increment(ms)`. */
export const simulatedClock = (): SimulatedClock => new SimulatedClock()

/**
 * Lets everything that is already settled run on: promises, fibres, queued events. Nothing that waits for time or
 * sockets.
 */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Holds up this whole process, without taking from others the time to compute. */
export const holdUp = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Waits until an actor's snapshot satisfies a condition. what: names that for the reader of a failure. */
export const untilState = <L extends AnyActorLogic>(
  actor: Actor<L>,
  condition: (snapshot: SnapshotFrom<L>) => boolean,
  what = `what an actor is asked for (${condition})`,
) =>
  arrival(what, waitFor(actor, condition as never), () => {
    const { value, status, context } = actor.getSnapshot() as Readonly<Record<string, unknown>>
    return { value, status, context }
  })
