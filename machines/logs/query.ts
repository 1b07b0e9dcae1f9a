// What is asked of a log, and where in it one has been.
import { isWithin, type LogLevel } from './level.ts'
import type { LogLine } from './line.ts'

/** Which lines are wanted. */
export interface LogFilter {
  /** They matter at least so much. Default: all. */
  readonly level?: LogLevel
  /** Unix time: not before. */
  readonly sinceMs?: number
  /** Unix time: before. */
  readonly untilMs?: number
  /** Of this start of the device. */
  readonly boot?: number
  /** It stands in the message, the part or the facts, in capital letters or small ones. */
  readonly text?: string
}

/** Whether a line is one of those. */
export const filterOf = ({
  level = 'debug',
  sinceMs,
  untilMs,
  boot,
  text,
}: LogFilter): ((line: LogLine) => boolean) => {
  const wanted = text?.toLowerCase()
  return (line) =>
    isWithin(line.level, level) &&
    (sinceMs === undefined || line.at_ms >= sinceMs) &&
    (untilMs === undefined || line.at_ms < untilMs) &&
    (boot === undefined || line.boot === boot) &&
    (wanted === undefined || textOf(line).toLowerCase().includes(wanted))
}

const textOf = ({ message, part, facts }: LogLine): string =>
  `${message} ${part ?? ''}${facts ? ` ${JSON.stringify(facts)}` : ''}`

/** Which way one goes from a place. newer: to the lines that came after it. */
export type LogWay = 'newer' | 'older'

/** A place in a log, and which way to go from there. */
export interface LogPlace {
  /** Of a line; undefined: the end that lies behind who goes this way. */
  readonly cursor?: string
  readonly way: LogWay
}

const WAYS = { newer: 'after:', older: 'before:' } as const

/** As a client keeps it. */
export const placeText = ({ cursor = '', way }: LogPlace): string => `${WAYS[way]}${cursor}`

/** What a client kept; the cursor of a line alone asks for what came after it. */
export const readPlace = (text: string): LogPlace => {
  if (text.startsWith(WAYS.older)) return { cursor: text.slice(WAYS.older.length), way: 'older' }
  return { cursor: text.startsWith(WAYS.newer) ? text.slice(WAYS.newer.length) : text, way: 'newer' }
}

/** What is said where the line of a cursor is not there any more. */
export const OLDER_LINES_ARE_GONE = 'older lines are gone'
