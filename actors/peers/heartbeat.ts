// When peers are asked whether they are there: all of them at the same moments. A process that wakes up for each finds
// its caches cold each time.

const EVERY_MS = 5_000

/** Calls everybody back at the same moments, as long as there is somebody. A call must not throw. */
export class Heartbeat {
  readonly everyMs: number
  readonly #calls = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined

  constructor(everyMs = EVERY_MS) {
    this.everyMs = everyMs
  }

  /** From the next moment on, which may come at once; until what is returned is called. */
  add(call: () => void): () => void {
    this.#calls.add(call)
    this.#timer ??= setInterval(() => this.#tick(), this.everyMs)
    return () => {
      this.#calls.delete(call)
      if (this.#calls.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #tick(): void {
    for (const call of this.#calls) call()
  }
}
