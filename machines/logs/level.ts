// How much a line of a log matters.
import { token } from '../token.ts'

/** The most important first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const RANK = { error: 0, warn: 1, info: 2, debug: 3 } satisfies Record<LogLevel, number>

/** Whether a line of this level matters as much as `least`, or more. */
export const isWithin = (level: LogLevel, least: LogLevel): boolean => RANK[level] <= RANK[least]

/** The least that is written as the start of the service says. */
export const LOG_LEVEL_AT_START = token<LogLevel>('log-level-at-start')
