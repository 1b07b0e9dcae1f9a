// Keeps what goes wrong again and again from filling the log: it is said at once, and then ever more rarely. The error history counts it all.
import type { Log } from './port.ts'

const FIRST_PAUSE_MS = 10_000 // a part that cannot be started crashes five times in its first two seconds
const MAX_PAUSE_MS = 600_000 // whoever looks at the log of the last hour finds it
const QUIET_MS = 60_000 // what has not come for a minute was over, and is news again
const MAX_KNOWN = 500 // as the error history; the one said longest ago is forgotten first

/** A warning that was said. lastMs: when it came last. held: how often since it was said. */
interface Said {
  readonly saidMs: number
  readonly pauseMs: number
  lastMs: number
  held: number
}

/** A log that says the same warning or error once, and then that it came `times` more. nowMs: of a clock that nobody sets. */
export const withoutRepeats = (log: Log, nowMs: () => number): Log => {
  const known = new Map<string, Said>()
  return (level, message, facts = {}) => {
    if (level !== 'warn' && level !== 'error') return log(level, message, facts)
    const key = keyOf(message, facts)
    const now = nowMs()
    const came = typeof facts.times === 'number' ? facts.times : 1
    const before = known.get(key)
    const goesOn = before !== undefined && now - before.lastMs < QUIET_MS
    if (goesOn && now - before.saidMs < before.pauseMs) {
      before.held += came
      before.lastMs = now
      return
    }
    const pauseMs = goesOn ? Math.min(2 * before.pauseMs, MAX_PAUSE_MS) : FIRST_PAUSE_MS
    known.delete(key)
    known.set(key, { saidMs: now, pauseMs, lastMs: now, held: 0 })
    const [oldest] = known.size > MAX_KNOWN ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    const times = came + (before?.held ?? 0)
    log(level, message, { ...facts, ...(times > 1 && { times }) })
  }
}

/** What differs in its numbers alone is the same: attempts are counted in some sentences, and processes are named by numbers. */
const keyOf = (message: string, { code, resource }: Readonly<Record<string, unknown>>): string =>
  `${code} ${resource} ${message.replace(/\d+/g, '0')}`
