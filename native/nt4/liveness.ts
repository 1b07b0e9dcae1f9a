// Notices a connection that has gone silent: a robot that lost power closes no socket.
//
// Ticks are counted, not time: a process that was itself held up for two seconds has had one tick, and hears the
// answers that wait before the next.

/** How a connection is probed. */
export interface LivenessRule {
  readonly everyMs: number
  /**
   * At that tick in a row without a byte from the other side it is asked for one, and at each that follows; 1: at every
   * tick, whatever was heard before.
   */
  readonly probeFromTick: number
  /** At that tick in a row it is dead. */
  readonly limitTicks: number
}

/** Calls back after so many ticks, unless it is cleared before. */
export const afterTicks = (
  { everyMs, ticks }: { readonly everyMs: number; readonly ticks: number },
  callback: () => void,
): NodeJS.Timeout => {
  let left = ticks
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    callback()
  }, everyMs)
  return timer.unref()
}

/** What is to be done after a tick. */
export type Verdict = 'nothing' | 'probe' | 'dead'

/** Counts the ticks in which nothing came. */
export class Silence {
  readonly #rule: Omit<LivenessRule, 'everyMs'>
  #ticks = 0

  constructor(rule: Omit<LivenessRule, 'everyMs'>) {
    this.#rule = rule
  }

  /** Anything arrived. */
  heard(): void {
    this.#ticks = 0
  }

  tick(): Verdict {
    this.#ticks += 1
    if (this.#ticks >= this.#rule.limitTicks) return 'dead'
    return this.#ticks >= this.#rule.probeFromTick ? 'probe' : 'nothing'
  }
}

/** Probes the other side at each tick and calls `dead` once when it stays silent. */
export class Liveness {
  readonly #silence: Silence
  readonly #timer: NodeJS.Timeout
  readonly #probesAlways: boolean

  constructor(rule: LivenessRule, probe: () => void, dead: () => void) {
    this.#silence = new Silence(rule)
    this.#probesAlways = rule.probeFromTick === 1
    this.#timer = setInterval(() => {
      const verdict = this.#silence.tick()
      if (verdict === 'probe') probe()
      if (verdict !== 'dead') return
      this.stop()
      dead()
    }, rule.everyMs)
    this.#timer.unref()
  }

  /** Anything arrived. Ticks begin anew, so that one who is heard often enough wakes nobody for them. */
  heard(): void {
    this.#silence.heard()
    if (!this.#probesAlways) this.#timer.refresh()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
