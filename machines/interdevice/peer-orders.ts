// How many orders of other devices are being carried out: whoever would interrupt them can wait.
import { Latest } from '../latest.ts'
import type { OnBug } from '../listeners.ts'
import { token } from '../token.ts'

export class PeerOrders {
  /** Now. */
  readonly running: Latest<number>

  constructor(onBug?: OnBug) {
    this.running = new Latest(onBug)
    this.running.set(0)
  }

  /** Another one begins; returns the way to say that it has ended. */
  begin(): () => void {
    this.#count(1)
    let isOver = false
    return () => {
      if (!isOver) this.#count(-1)
      isOver = true
    }
  }

  #count(more: number): void {
    this.running.set((this.running.value ?? 0) + more)
  }
}

/** Of this device. */
export const PEER_ORDERS = token<PeerOrders>('peer-orders')
