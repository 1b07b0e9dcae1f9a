// A device whose name is a word in memory.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { HostnamePort } from './port.ts'

export class FakeHostname implements HostnamePort {
  name = 'vedette-7'
  /** As long as this is set, everything fails with it. */
  fault: Fault | null = null

  readonly read: Effect.Effect<string, Fault> = this.#try(() => this.name)

  readonly write = (name: string): Effect.Effect<void, Fault> =>
    this.#try(() => {
      this.name = name
    })

  #try<Value>(act: () => Value): Effect.Effect<Value, Fault> {
    return Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.sync(act)))
  }
}
