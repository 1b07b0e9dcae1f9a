// Log lines on a stream: JSON for machines, one short line for people.
import type { LogLevel } from '../../machines/logs/level.ts'
import type { Log } from './port.ts'

interface Sink {
  readonly write: (text: string) => unknown
  readonly writableLength: number
}

const MAX_WAITING_BYTES = 1_000_000 // nobody reads: lines are dropped rather than memory filled

/** A log that writes each line. nowMs: Unix time. */
export const lineLog = (sink: Sink, form: 'pretty' | 'json', nowMs: () => number): Log => {
  const line = form === 'json' ? jsonLine : prettyLine
  return (level, message, facts = {}) => {
    if (sink.writableLength > MAX_WAITING_BYTES) return
    sink.write(`${line(new Date(nowMs()), level, message, facts)}\n`)
  }
}

const jsonLine = (at: Date, level: LogLevel, message: string, facts: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ time: at.toISOString(), level, message, ...facts })

/** As much of what Node keeps to itself as is needed. */
interface Inside {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => unknown } | null
}

/**
 * From now on what a terminal does not take waits in memory, as with a pipe: Node has the whole process wait for one
 * that somebody has stopped with Ctrl-S, or that is shown on a laptop that sleeps.
 */
export const neverWaitFor = (out: NodeJS.WriteStream): void => {
  if (out.isTTY) (out as Inside)._handle?.setBlocking?.(false)
}

const MARK = { error: '✗', warn: '!', info: '·', debug: ' ' } satisfies Record<LogLevel, string>

const prettyLine = (at: Date, level: LogLevel, message: string, facts: Readonly<Record<string, unknown>>): string => {
  const shown = Object.entries(facts).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${at.toTimeString().slice(0, 8)} ${MARK[level]} ${message}${shown.join('')}`
}
