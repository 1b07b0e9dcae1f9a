// Notices a connection that has gone silent: a robot that lost power closes no socket.
//
// Ticks are counted, not time: a process that was itself held up for two seconds has had one tick, and hears the answers that wait before the next.

/**
 * How a connection is probed. probeFromTick: at that tick in a row without a byte from the other side it is asked for one, and at each that follows; 1:
 * at every tick, whatever was heard before. limitTicks: at that tick in a row it is dead.
 */
export interface LivenessRule {
  readonly everyMs: number
  readonly probeFromTick: number
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

/** Probes the other side at each tick and calls `dead` once when it stays silent. */
export class Liveness {
  readonly #timer: NodeJS.Timeout
  #silentTicks = 0

  constructor(rule: LivenessRule, probe: () => void, dead: () => void) {
    this.#timer = setInterval(() => {
      this.#silentTicks += 1
      if (this.#silentTicks < rule.limitTicks) {
        if (this.#silentTicks >= rule.probeFromTick) probe()
        return
      }
      this.stop()
      dead()
    }, rule.everyMs)
    this.#timer.unref()
  }

  /** Anything arrived. */
  heard(): void {
    this.#silentTicks = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
