// The log as the service writes it.

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** One line: a sentence for people and facts for programs. Never throws, never blocks. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void
