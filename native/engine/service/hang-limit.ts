// Waiting for an engine: as long as it computes or is kept from computing, and no longer than it stands still.
import * as Effect from 'effect/Effect'
import {
  hangReason,
  type Limits,
  LOOK_EVERY_MS,
  startHangWatch,
  type ThreadLoad,
  updateHangWatch,
} from '../../../machines/engine/health.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type EngineThreads, readThreads } from '../threads.ts'

/** Whom one waits for, and until when. */
export interface Wait {
  /** The engine's process. */
  readonly pid: number
  /** Those that have to do it. */
  readonly threads: keyof EngineThreads
  readonly limits: Limits
}

/** How one waits at the moment. */
interface Watched {
  /** With another one, what has been waited counts no more. */
  readonly period: () => number
  /** Of the threads that have to do it. */
  readonly load: () => ThreadLoad
  readonly limits: () => Limits
}

/** Runs a program that waits for an engine. Fails with what `hung` makes of the reason when the engine hangs. */
export const withHangLimit = <Value>(
  program: Effect.Effect<Value, Fault>,
  { pid, threads, limits }: Wait,
  hung: (why: string) => Fault,
): Effect.Effect<Value, Fault> =>
  withMovingHangLimit(program, hung, () => ({
    period: () => 0,
    // A process that is gone ends the program by itself: its going is reported.
    load: () => readThreads(pid)?.[threads] ?? { cpuMs: 0, isRunnable: true },
    limits: () => limits,
  }))

/** The same with a limit that changes while one waits. watch: called when the waiting begins. */
export const withMovingHangLimit = <Value>(
  program: Effect.Effect<Value, Fault>,
  hung: (why: string) => Fault,
  watch: () => Watched,
): Effect.Effect<Value, Fault> =>
  Effect.raceFirst(
    program,
    Effect.suspend(() => {
      const { period, load, limits } = watch()
      let since = period()
      let hangWatch = startHangWatch(load(), performance.now())
      return Effect.suspend(() => {
        const isNew = period() !== since
        since = period()
        hangWatch = isNew
          ? startHangWatch(load(), performance.now())
          : updateHangWatch(hangWatch, load(), performance.now())
        const why = hangReason(hangWatch, limits())
        return why === undefined ? Effect.void : Effect.fail(hung(why))
      }).pipe(Effect.delay(LOOK_EVERY_MS), Effect.forever)
    }),
  )
