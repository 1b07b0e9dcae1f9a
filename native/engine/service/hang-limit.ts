// Waiting for an engine: as long as it is at work or is kept from working, and no longer than it stands still.
import * as Effect from 'effect/Effect'
import {
  impatience,
  type Limits,
  LOOK_EVERY_MS,
  patienceAfter,
  patienceFrom,
  type ThreadLoad,
} from '../../../machines/engine/health.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type EngineThreads, readThreads } from '../threads.ts'

/** Whom one waits for, and until when. pid: the engine's process. threads: those that have to do it. */
export interface Wait {
  readonly pid: number
  readonly threads: keyof EngineThreads
  readonly limits: Limits
}

/** How one waits at the moment. period: with another one patience begins anew. load: of those who have to do it. */
interface Watched {
  readonly period: () => number
  readonly load: () => ThreadLoad
  readonly limits: () => Limits
}

/** Runs a program that waits for an engine. Fails with what `hung` makes of the reason when the engine hangs. */
export const patiently = <Value>(
  program: Effect.Effect<Value, Fault>,
  { pid, threads, limits }: Wait,
  hung: (why: string) => Fault,
): Effect.Effect<Value, Fault> =>
  until(program, hung, () => ({
    period: () => 0,
    // A process that is gone ends the program by itself: its going is reported.
    load: () => readThreads(pid)?.[threads] ?? { cpuMs: 0, isRunnable: true },
    limits: () => limits,
  }))

/** The same for whoever judges it otherwise. watch: called when the waiting begins. */
export const until = <Value>(
  program: Effect.Effect<Value, Fault>,
  hung: (why: string) => Fault,
  watch: () => Watched,
): Effect.Effect<Value, Fault> =>
  Effect.raceFirst(
    program,
    Effect.suspend(() => {
      const { period, load, limits } = watch()
      let since = period()
      let patience = patienceFrom(load(), performance.now())
      return Effect.suspend(() => {
        const isNew = period() !== since
        since = period()
        patience = isNew ? patienceFrom(load(), performance.now()) : patienceAfter(patience, load(), performance.now())
        const why = impatience(patience, limits())
        return why === undefined ? Effect.void : Effect.fail(hung(why))
      }).pipe(Effect.delay(LOOK_EVERY_MS), Effect.forever)
    }),
  )
