// Says that things are wrong without saying it for each: one report at once, then at most one in each interval, with the number.
import type { Fault } from '../../machines/errors/fault.ts'

const INTERVAL_MS = 10_000

/** Counts one kind of mishap and reports it at a bounded rate. Its timer keeps nothing alive; `stop` releases it. */
export class Tally {
  readonly #say: (count: number) => void
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(report: (fault: Fault) => void, faultOf: (count: number) => Fault) {
    this.#say = (count) => report(faultOf(count))
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
    this.#say(this.#count)
    this.#count = 0
  }
}
