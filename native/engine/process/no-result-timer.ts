// Keeps time for the robot's table: a robot is told something at least every 50 ms, and only the engine can tell
// without a timer in the control process that no frame has come for so long.

/** Before the robot's 50 ms are over, with time to get there. */
export const NO_RESULT_AFTER_MS = 45

/**
 * Says so whenever nothing was sent for NO_RESULT_AFTER_MS, and again after as long. Its timer keeps no process alive.
 */
export class NoResultTimer {
  readonly #say: () => void
  #sentMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(say: () => void) {
    this.#say = say
  }

  /** From now on, until `stop`. */
  start(): void {
    this.#sentMs = performance.now()
    this.#timer ??= this.#wait(NO_RESULT_AFTER_MS)
  }

  /** A result was sent. */
  sent(): void {
    this.#sentMs = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** One timer that looks when the last result was sent: to set it again with each would wake the process as often. */
  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const leftMs = this.#sentMs + NO_RESULT_AFTER_MS - performance.now()
      if (leftMs <= 0) {
        this.#sentMs = performance.now()
        this.#say()
      }
      this.#timer = this.#wait(leftMs > 0 ? Math.ceil(leftMs) : NO_RESULT_AFTER_MS)
    }, ms).unref()
  }
}
