// Openings and plans of an engine, which come one after the other: whether one is being made, and how long one waits
// for it.
import type * as Effect from 'effect/Effect'
import type { Limits } from '../../../machines/engine/health.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type EngineThreads, MakerLoad, readThreads } from '../threads.ts'
import { withMovingHangLimit } from './hang-limit.ts'

/**
 * For one's turn, and until workers are ready: the engine itself judges those, and none of the four has longer than two
 * minutes.
 */
const TURN: Limits = { idleMs: 600_000, busyMs: 600_000, waitedMs: 600_000 }

const WAITS = { cpuMs: 0, isRunnable: true } // for others, so that nothing is computed for it

/** Whom one waits for, and until when. */
export interface MakeWait {
  /** The engine's process. */
  readonly pid: number
  /** All, or only the one that makes plans, whatever is computed beside it. */
  readonly threads: keyof Pick<EngineThreads, 'all'> | 'maker'
  readonly limits: Limits
}

/** What is in the queue of an engine, as far as it reports. */
export class PlanQueue {
  #count = 0
  #ask: number | undefined

  /** The engine makes now what was asked for. */
  began(ask: number): void {
    this.#count += 1
    this.#ask = ask
  }

  /** It answered an ask, of whatever kind. */
  ended(ask: number): void {
    if (this.#ask !== ask) return
    this.#count += 1
    this.#ask = undefined
  }

  /**
   * Runs a program that waits for an opening or a plan. The limit counts from when that begins, and from each one
   * before it.
   */
  wait<Value>(
    program: Effect.Effect<Value, Fault>,
    { pid, threads, limits }: MakeWait,
    hung: (why: string) => Fault,
  ): Effect.Effect<Value, Fault> {
    return withMovingHangLimit(program, hung, () => {
      const maker = new MakerLoad(pid)
      const loadOf = () => (threads === 'maker' ? maker.look() : (readThreads(pid)?.all ?? WAITS))
      return {
        period: () => this.#count,
        load: () => (this.#ask === undefined ? WAITS : loadOf()),
        limits: () => (this.#ask === undefined ? TURN : limits),
      }
    })
  }
}
