// A device that is restarted in memory: a test says when another run has begun.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { RestartNote, RestartTarget } from '../../machines/restart/restart-order.ts'
import type { RestartPort } from './port.ts'

export class FakeRestart implements RestartPort {
  boot = 'boot-1'
  /** Why nothing is restarted, while it is set. */
  fault: Fault | undefined
  /** Why nothing is noted, while it is set. */
  noteFault: Fault | undefined
  kept: RestartNote | null = null
  /** What was restarted, in order. */
  readonly restarts: RestartTarget[] = []

  readonly bootId = Effect.sync(() => this.boot)

  readonly check = () => Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.void))

  readonly restart = (target: RestartTarget) =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      this.restarts.push(target)
      return Effect.void
    })

  readonly note = (note: RestartNote) =>
    Effect.suspend(() => {
      if (this.noteFault) return Effect.fail(this.noteFault)
      this.kept = note
      return Effect.void
    })

  readonly takeNote = Effect.sync(() => {
    const { kept } = this
    this.kept = null
    return kept
  })
}
