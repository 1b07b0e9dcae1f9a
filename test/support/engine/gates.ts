// Engines that wait at a gate: while they are being started, or ended.
import * as Effect from 'effect/Effect'
import type { EnginePort } from '../../../native/engine/port.ts'

/** Open until it is closed. */
export class Gate {
  #held = Promise.withResolvers<void>()

  constructor() {
    this.open()
  }

  /** Done when the gate is open. */
  readonly passed: Effect.Effect<void> = Effect.promise(() => this.#held.promise)

  close(): void {
    this.#held = Promise.withResolvers()
  }

  open(): void {
    this.#held.resolve()
  }
}

/**
 * The same engines; each passes one gate when it is there but nobody has it yet, and the other when it is gone but
 * nobody knows.
 */
export const gated = (engines: EnginePort, starts: Gate, ends: Gate): EnginePort => ({
  ...engines,
  spawn: (name, sinks) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(Effect.void, () => ends.passed)
      const engine = yield* engines.spawn(name, sinks)
      yield* starts.passed
      return engine
    }),
})
