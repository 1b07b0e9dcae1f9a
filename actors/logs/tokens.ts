// Reading the logs of this device: what the rows of the API ask.
import type { Fault } from '../../machines/errors/fault.ts'
import type { LogLine, LogSourceId } from '../../machines/logs/line.ts'
import type { LogFilter, LogPlace } from '../../machines/logs/query.ts'
import { token } from '../../machines/token.ts'

/** A page that is wanted. */
export interface LogPageOrder {
  readonly source: LogSourceId
  readonly place: LogPlace
  readonly filter: LogFilter
  readonly limit: number
}

/** A page. */
export interface LogPageFound {
  /** The oldest first. */
  readonly lines: readonly LogLine[]
  /** Before its oldest line; null: there is nothing. */
  readonly older: LogPlace | null
  /** After its newest line; null: there is no line yet. */
  readonly newer: LogPlace | null
  /** Lines were gone between where it was to begin and where it begins. */
  readonly isGone: boolean
  /** There is nothing more that way now. */
  readonly isEnd: boolean
}

export interface LogReader {
  /** Why there is no such log here; null: there is. */
  readonly look: (source: LogSourceId) => Promise<string | null>
  /** With fewer lines than wanted where many had to be looked through: then it is not the end. */
  readonly page: (order: LogPageOrder, signal?: AbortSignal) => Promise<LogPageFound | Fault>
  /** Tells each line that comes; returns the way to stop that. */
  readonly follow: (source: LogSourceId, told: (line: LogLine) => void, ended: (why: string) => void) => () => void
}

/** Of all logs of this device. */
export const LOG_READER = token<LogReader>('log-reader')
