// DNS-SD in a network of this process alone: its devices are the ones that a test adds, and others that announce
// themselves on the same fake.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Announced, Received } from '../../machines/discovery/announcement.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { DnsSd, DnsSdListener, DnsSdPort } from './port.ts'

export class FakeDnsSd implements DnsSdPort {
  /** Of this device. */
  networks: readonly string[] = ['10.12.34.11']
  /** As long as this is set, nothing can be opened. */
  fault: Fault | null = null
  /** The devices that answer a question. */
  readonly others = new Set<Received>()
  /** What is announced now, one for each that is open. */
  readonly announced = new Set<Announced | null>()
  /** The number of questions so far. */
  asks = 0
  readonly #listeners = new Set<DnsSdListener>()
  readonly #ends = new Set<(fault: Fault) => void>()

  readonly addresses: DnsSdPort['addresses'] = Effect.sync(() => this.networks)

  readonly open: DnsSdPort['open'] = (_addresses, announced, listener): Effect.Effect<DnsSd, Fault, Scope.Scope> =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      const end = Promise.withResolvers<Fault>()
      const own = { announced: announced && { ...announced } }
      const taken = Effect.sync(() => {
        this.announced.add(own.announced)
        this.#listeners.add(listener)
        this.#ends.add(end.resolve)
        this.#answer(listener)
      })
      const released = Effect.sync(() => {
        this.announced.delete(own.announced)
        this.#listeners.delete(listener)
        this.#ends.delete(end.resolve)
      })
      const dnsSd: DnsSd = {
        ask: () => {
          this.asks += 1
          this.#answer(listener)
        },
        failed: Effect.flatMap(
          Effect.promise(() => end.promise),
          Effect.fail,
        ),
      }
      return Effect.as(
        Effect.acquireRelease(taken, () => released),
        dnsSd,
      )
    })

  /** A device says goodbye. */
  leave(received: Received): void {
    this.others.delete(received)
    for (const { gone } of this.#listeners) gone(received)
  }

  /** All that is open comes to its end. */
  fail(fault: Fault): void {
    for (const end of this.#ends) end(fault)
  }

  #answer({ heard }: DnsSdListener): void {
    for (const other of this.others) heard(other)
  }
}
