// Time that passes only when a test lets it: all timers of this process go by it, those of libraries too. Between two
// that are due everything that these set off runs on.

const NAMES = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const

type Fire = (...values: unknown[]) => void

/** As much of a timer of Node's as anybody uses. */
class SimulatedTimer {
  dueMs = 0
  readonly everyMs: number | null
  readonly fire: () => void
  readonly #time: SimulatedTime
  readonly #delayMs: number

  constructor(time: SimulatedTime, fire: () => void, delayMs: number, repeats: boolean) {
    this.#time = time
    this.#delayMs = Math.max(1, delayMs)
    this.everyMs = repeats ? this.#delayMs : null
    this.fire = fire
    this.refresh()
  }

  readonly ref = () => this
  readonly unref = () => this
  readonly hasRef = () => false
  readonly close = () => this.#time.drop(this)
  readonly refresh = () => {
    this.dueMs = this.#time.passedMs + this.#delayMs
    this.#time.add(this)
    return this
  }
}

const START_MS = 1_767_225_600_000 // 2026-01-01

/** turns: how often the event loop went round, or a timer was set. */
export class SimulatedTime {
  passedMs = 0
  /** Counts what happens: as long as it rises, things are not settled. */
  stirred = 0
  /** How far the wall clock was set forward. */
  aheadMs = 0
  readonly #timers = new Set<SimulatedTimer>()

  readonly nowMs = (): number => START_MS + this.passedMs + this.aheadMs
  readonly onSet = () => () => {} // nobody is told: what is stamped here is looked at by nobody
  readonly monotonicUs = (): number => (3_600_000 + this.passedMs) * 1_000
  readonly wait = (ms: number): Promise<void> => new Promise((resolve) => void this.later(() => resolve(), ms))

  add(timer: SimulatedTimer): void {
    this.stirred += 1
    this.#timers.add(timer)
  }

  drop(timer: SimulatedTimer): void {
    this.#timers.delete(timer)
  }

  later(fire: Fire, delayMs = 0, ...values: unknown[]): SimulatedTimer {
    return new SimulatedTimer(this, () => fire(...values), delayMs, false)
  }

  /** Takes the timers of this process over; answers with the way back. */
  install(): () => void {
    const before = NAMES.map((name) => [name, globalThis[name]] as const)
    const drop = (timer: unknown) => {
      if (timer instanceof SimulatedTimer) this.drop(timer)
    }
    Object.assign(globalThis, {
      setTimeout: (fire: Fire, delayMs?: number, ...values: unknown[]) => this.later(fire, delayMs, ...values),
      setInterval: (fire: Fire, delayMs = 0, ...values: unknown[]) =>
        new SimulatedTimer(this, () => fire(...values), delayMs, true),
      clearTimeout: drop,
      clearInterval: drop,
    })
    return () => void Object.assign(globalThis, Object.fromEntries(before))
  }

  /** Lets the event loop go round so often. */
  async turn(times = 1): Promise<void> {
    for (let n = 0; n < times; n += 1) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Lets everything run on that waits for no time. */
  async settle(): Promise<void> {
    for (let quiet = 0, before = this.stirred; quiet < QUIET_TURNS; before = this.stirred) {
      await this.turn()
      quiet = this.stirred === before ? quiet + 1 : 0
    }
  }

  /** Lets time pass, and settles after each timer. */
  async pass(ms: number): Promise<void> {
    const endMs = this.passedMs + ms
    await this.settle()
    for (let next = this.#next(endMs); next; next = this.#next(endMs)) {
      this.passedMs = Math.max(this.passedMs, next.dueMs)
      if (next.everyMs === null) this.drop(next)
      else next.dueMs += next.everyMs
      next.fire()
      await this.settle()
    }
    this.passedMs = endMs
  }

  #next(endMs: number): SimulatedTimer | undefined {
    let first: SimulatedTimer | undefined
    for (const timer of this.#timers) if (timer.dueMs <= endMs && !(first && first.dueMs <= timer.dueMs)) first = timer
    return first
  }
}

const QUIET_TURNS = 5 // the longest that anything takes between two bytes, commits or timers
