// A line of the journal as `journalctl --output=json` prints it.
import type { LogLevel } from '../../machines/logs/level.ts'
import { cutMessage, type LogLine } from '../../machines/logs/line.ts'
import { redact } from '../../machines/logs/redact.ts'

/** A field may be repeated, or hold bytes that are no text. */
type Field = string | readonly (number | string)[] | null | undefined

interface Printed {
  readonly __CURSOR?: Field
  readonly __REALTIME_TIMESTAMP?: Field
  readonly __MONOTONIC_TIMESTAMP?: Field
  readonly _BOOT_ID?: Field
  readonly PRIORITY?: Field
  readonly MESSAGE?: Field
  readonly SYSLOG_IDENTIFIER?: Field
  readonly _SYSTEMD_UNIT?: Field
  readonly _PID?: Field
}

/** The cursor alone, of a line that may be cut; undefined: it is none of the journal. */
export const cursorIn = (text: string): string | undefined => /"__CURSOR"\s*:\s*"([^"]+)"/.exec(text)?.[1]

/** The line, without secrets; undefined: it is none. bootOf: the number of a start of the device by its id. */
export const journalLine = (text: string, bootOf: (id: string) => number | null): LogLine | undefined => {
  const cursor = cursorIn(text)
  if (cursor === undefined) return undefined
  const printed = parsed(text)
  const atUs = Number(textOf(printed.__REALTIME_TIMESTAMP) || atUsOf(cursor, 't'))
  const monotonicUs = Number(textOf(printed.__MONOTONIC_TIMESTAMP) || atUsOf(cursor, 'm'))
  const pid = Number(textOf(printed._PID) || Number.NaN)
  return {
    cursor,
    boot: bootOf(textOf(printed._BOOT_ID) || (/b=([0-9a-f]+)/.exec(cursor)?.[1] ?? '')),
    monotonic_us: Number.isSafeInteger(monotonicUs) ? monotonicUs : null,
    at_ms: Math.floor(atUs / 1000) || 0,
    level: levelOf(textOf(printed.PRIORITY)),
    part: textOf(printed.SYSLOG_IDENTIFIER) || textOf(printed._SYSTEMD_UNIT) || null,
    pid: Number.isSafeInteger(pid) ? pid : null,
    message: cutMessage(redact(textOf(printed.MESSAGE))),
    facts: null,
  }
}

/** One that was cut on its way, since it is very long, is shown without its text. */
const parsed = (text: string): Printed => {
  try {
    return JSON.parse(text) as Printed
  } catch {
    return { MESSAGE: '(a line that is too long to be shown)' }
  }
}

const atUsOf = (cursor: string, name: string): number =>
  Number.parseInt(new RegExp(`;${name}=([0-9a-f]+)`).exec(cursor)?.[1] ?? '', 16)

/** Bytes are read as text as far as they are any; of a repeated field the first counts. */
const textOf = (field: Field): string => {
  if (typeof field === 'string') return field
  if (!field) return ''
  const [first] = field
  if (typeof first === 'string') return first
  return Array.isArray(first) ? textOf(first as Field) : Buffer.from(field as readonly number[]).toString('utf8')
}

const LEVELS: readonly LogLevel[] = ['error', 'error', 'error', 'error', 'warn', 'info', 'info', 'debug']

/** What has no priority is as what programs print. */
const levelOf = (priority: string): LogLevel => (priority === '' ? 'info' : (LEVELS[Number(priority)] ?? 'info'))
