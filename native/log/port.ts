// The log as the service writes it.
import type { LogLevel } from '../../machines/logs/level.ts'

/** One line: a sentence for people and facts for programs. Never throws, never blocks. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void
