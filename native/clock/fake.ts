// Clocks that are moved by hand.
import { Listeners } from '../../machines/listeners.ts'
import type { Clock } from './port.ts'

const START_MS = 1_767_225_600_000 // 2026-01-01

/** Both clocks, an hour after the device was switched on. */
export class FakeClock implements Clock {
  readonly #listeners = new Listeners<number>()
  #sinceStartMs = 0
  #setMs = 0

  readonly nowMs = (): number => START_MS + this.#sinceStartMs + this.#setMs

  readonly onSet = (listener: (byMs: number) => void): (() => void) => this.#listeners.add(listener)

  readonly monotonicUs = (): number => (3_600_000 + this.#sinceStartMs) * 1000

  /** What was waited for, ms; nobody has to. */
  readonly waits: number[] = []

  readonly wait = async (ms: number): Promise<void> => {
    this.waits.push(ms)
  }

  /** Sets the wall clock, as a server of time does: so much later, or earlier. */
  setBy(ms: number): void {
    this.#setMs += ms
    this.#listeners.notify(ms)
  }

  /** Moves both. */
  advanceMs(ms: number): void {
    this.#sinceStartMs += ms
  }
}
