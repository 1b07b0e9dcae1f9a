// Reports that things are wrong without a report for each: one at once, then at most one in each interval, with the
// number.
import type { Fault } from '../../machines/errors/fault.ts'

const INTERVAL_MS = 10_000

/**
 * Counts one kind of mishap and reports it at a bounded rate. Unlike a LogThrottle it has a timer, so that the last
 * ones are reported though none follows. Its timer keeps nothing alive; `stop` releases it.
 */
export class FaultThrottle {
  readonly #report: (count: number) => void
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(report: (fault: Fault) => void, faultOf: (count: number) => Fault) {
    this.#report = (count) => report(faultOf(count))
  }

  add(count: number): void {
    if (count === 0) return
    this.#count += count
    if (this.#timer) return
    this.#flush()
    this.#timer = setInterval(() => {
      if (this.#count > 0) this.#flush()
      else this.stop()
    }, INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #flush(): void {
    this.#report(this.#count)
    this.#count = 0
  }
}
