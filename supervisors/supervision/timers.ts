// The timers of one incarnation: of its actor, and of all that this one spawns.
import type { Actor, AnyActorLogic } from 'xstate'

/** What xstate takes its timers from. */
export type TimerClock = Actor<AnyActorLogic>['clock']

const systemClock: TimerClock = {
  setTimeout: (fire, delayMs) => setTimeout(fire, delayMs),
  clearTimeout: (timer) => clearTimeout(timer),
}

/**
 * A clock whose timers can all be ended at once.
 *
 * xstate stops what an actor has spawned when that is stopped or has finished, but not when it crashes: its children,
 * and those that it had just spawned when it crashed, would go on with their timers, and with each of them start their
 * work again.
 */
export class EndableTimers implements TimerClock {
  readonly #clock: TimerClock
  readonly #running = new Set<unknown>()
  #hasEnded = false

  constructor(clock: TimerClock = systemClock) {
    this.#clock = clock
  }

  readonly setTimeout = (fire: () => void, delayMs: number): unknown => {
    if (this.#hasEnded) return undefined
    const timer: unknown = this.#clock.setTimeout(() => {
      this.#running.delete(timer)
      fire()
    }, delayMs)
    this.#running.add(timer)
    return timer
  }

  readonly clearTimeout = (timer: unknown): void => {
    this.#running.delete(timer)
    this.#clock.clearTimeout(timer as never)
  }

  /** Clears all timers; none is set from now on. */
  end(): void {
    this.#hasEnded = true
    for (const timer of this.#running) this.#clock.clearTimeout(timer as never)
    this.#running.clear()
  }
}
