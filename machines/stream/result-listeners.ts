// Who is told of the results of a stream as they come, and what that takes of the network.
import { Listeners, type OnBug } from '../listeners.ts'

/** What goes over the network. */
export interface MeteredResults {
  readonly listeners: number
  /** Since the stream was created. */
  readonly bytes: number
}

/** A place among the listeners of one stream. */
export interface ResultListener {
  /** So many bytes of results were sent to it. */
  readonly sent: (bytes: number) => void
  readonly leave: () => void
}

/** The listeners of one stream. */
export class ResultListeners {
  readonly #meteredChanged: Listeners<void>
  #metered = 0
  #meteredBytes = 0

  /** onBug: told of what a listener threw. */
  constructor(onBug?: OnBug) {
    this.#meteredChanged = new Listeners(onBug)
  }

  /** What of it goes over the network. */
  get metered(): MeteredResults {
    return { listeners: this.#metered, bytes: this.#meteredBytes }
  }

  /** isMetered: over the network, within the bandwidth budget. */
  enter(isMetered: boolean): ResultListener {
    if (!isMetered) return { sent: () => {}, leave: () => {} }
    this.#change(1)
    let isHere = true
    return {
      sent: (bytes) => {
        this.#meteredBytes += bytes
      },
      leave: () => {
        if (isHere) this.#change(-1)
        isHere = false
      },
    }
  }

  /** Calls back when somebody came or left who listens over the network. */
  onMetered(changed: () => void): () => void {
    return this.#meteredChanged.add(changed)
  }

  #change(by: number): void {
    this.#metered += by
    this.#meteredChanged.notify()
  }
}
