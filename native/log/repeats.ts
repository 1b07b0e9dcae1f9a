// Keeps what goes wrong again and again from filling the log. The error history counts it all.
import { LogThrottle } from '../../machines/limits/log-throttle.ts'
import type { Log } from './port.ts'

const MAX_PAUSE_MS = 600_000 // whoever looks at the log of the last hour finds it

/**
 * A log that says the same warning or error once, and then that it came `times` more. nowMs: of a clock that nobody
 * sets.
 */
export const withoutRepeats = (log: Log, nowMs: () => number): Log => {
  const throttle = new LogThrottle(MAX_PAUSE_MS)
  return (level, message, facts = {}) => {
    if (level !== 'warn' && level !== 'error') return log(level, message, facts)
    const count = typeof facts.times === 'number' ? facts.times : 1
    const times = throttle.times(keyOf(message, facts), nowMs(), count)
    if (times === undefined) return
    log(level, message, { ...facts, ...(times > 1 && { times }) })
  }
}

/**
 * What differs in its numbers alone is the same: attempts are counted in some sentences, and processes are named by
 * numbers.
 */
const keyOf = (message: string, { code, resource }: Readonly<Record<string, unknown>>): string =>
  `${code} ${resource} ${message.replace(/\d+/g, '0')}`
