// Work that is done one at a time: ordering does not wait, and of the orders that come meanwhile only the newest is
// done.
import * as Effect from 'effect/Effect'

/** The orders that are waiting to be carried out: none, or one. */
export class LatestWinsTask<Order> {
  #waiting: { readonly order: Order } | undefined
  #wake: () => void = () => {}

  order(order: Order): void {
    this.#waiting = { order }
    this.#wake()
  }

  /** The one that waits, if any; it is taken. */
  take(): Order | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting?.order
  }

  /** Done when there is one. */
  readonly ordered: Effect.Effect<void> = Effect.callback((resume) => {
    const wake = () => resume(Effect.void)
    if (this.#waiting) wake()
    else this.#wake = wake
    return Effect.sync(() => {
      this.#wake = () => {}
    })
  })
}
