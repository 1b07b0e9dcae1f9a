// The logs of this device: that of this service, that of the system, and that of its kernel.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Boot } from '../../machines/logs/boots.ts'
import type { LogLine, LogSourceId } from '../../machines/logs/line.ts'
import type { LogFilter, LogPlace } from '../../machines/logs/query.ts'
import type { LogSettings } from '../../machines/logs/settings.ts'
import { token } from '../../machines/token.ts'

/** Which lines are walked through. */
export interface LogWalk {
  readonly place: LogPlace
  /** What a source does not look at itself is looked at by who asks; it may tell lines that do not fit. */
  readonly filter: LogFilter
}

/** How a walk ended. */
export interface LogWalkEnd {
  /** The line at which it was to begin is not there any more: it began at the next one that is. */
  readonly isGone: boolean
  /** There are no more lines that way. */
  readonly isEnd: boolean
}

/** Hears of a followed source. Neither may throw. */
export interface LogListener {
  readonly line: (line: LogLine) => void
  /** It cannot be followed any more, and why: a sentence without a full stop. */
  readonly ended: (why: string) => void
}

export interface LogSource {
  /** Why there is no such log here, as a sentence without a full stop; null: there is. */
  readonly look: () => Promise<string | null>
  /**
   * Tells line after line until `told` says false. Stopping to wait ends it. Fails with `cursor.unknown` for a place
   * that makes no sense, and with `device.failed` where the log cannot be read.
   */
  readonly walk: (walk: LogWalk, told: (line: LogLine) => boolean) => Effect.Effect<LogWalkEnd, Fault>
  /** Tells each line that comes from now on; returns the way to stop that. */
  readonly follow: (listener: LogListener) => () => void
}

/** The log of this service. */
export interface OwnLog extends LogSource {
  /** Lines are kept in files from now on; those until now are written first. */
  readonly open: () => void
  /** From now on. */
  readonly heed: (settings: LogSettings) => void
  /** The starts of the device that it knows; the last is that of now. */
  readonly boots: () => readonly Boot[]
  /** Those that have written anything since the service started. */
  readonly parts: () => readonly string[]
}

/** All of them. */
export type Logs = Readonly<Record<Exclude<LogSourceId, 'own'>, LogSource>>

/** That of this service. */
export const OWN_LOG = token<OwnLog>('own-log')
/** Those of the system. */
export const LOGS = token<Logs>('logs')
