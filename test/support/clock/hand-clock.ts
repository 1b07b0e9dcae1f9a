// A clock that a test moves, with the timers and the robot's session that go by it.
import { FakeNt4Session } from '../../../native/nt4/fake.ts'

/** A monotonic clock with timers that go off only as it is moved. */
export class HandClock {
  #nowMs = 1_000
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>()
  readonly nowMs = () => 1_760_000_000_000 + this.#nowMs
  readonly monotonicUs = () => this.#nowMs * 1_000

  readonly later = (delayMs: number, callback: () => void) => {
    const timer = { dueMs: this.#nowMs + delayMs, callback }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  get timers(): number {
    return this.#timers.size
  }

  advance(ms: number): void {
    const endMs = this.#nowMs + ms
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.dueMs - b.dueMs)[0]
      if (!next || next.dueMs > endMs) break
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.dueMs)
      next.callback()
    }
    this.#nowMs = Math.max(this.#nowMs, endMs)
  }

  /** Time passes while the program computes: no timer goes off meanwhile. */
  compute(ms: number): void {
    this.#nowMs += ms
  }
}

/** How far the server's clock is ahead of a HandClock. */
export const SERVER_AHEAD_US = 3_600_000_000

/** A session whose server time is that of the clock by hand and an hour ahead. */
export class HandSession extends FakeNt4Session {
  readonly #clock: HandClock
  constructor(clock: HandClock) {
    super()
    this.#clock = clock
  }

  override serverTimeUs(): number {
    return this.#clock.monotonicUs() + SERVER_AHEAD_US
  }
}
