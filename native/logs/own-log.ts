// Our own log as a source: what is written into its files, and how much of what the service says is.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { isWithin, LOG_LEVELS, type LogLevel } from '../../machines/logs/level.ts'
import { type LogLine, partOf } from '../../machines/logs/line.ts'
import type { LogPlace } from '../../machines/logs/query.ts'
import { redactFacts, redactForConsole } from '../../machines/logs/redact.ts'
import { DEFAULT_LOG_SETTINGS, isWritten } from '../../machines/logs/settings.ts'
import { LogFile, type LogFileParts } from '../log/log-file.ts'
import type { Log } from '../log/port.ts'
import { type KeptLine, readSegment } from '../log/segments.ts'
import { unknownCursor } from './faults.ts'
import type { LogListener, LogWalk, LogWalkEnd, OwnLog } from './port.ts'

const MAX_PARTS = 200 // what is named by a mistake in each line anew shall not grow

/** The files of our own log, and what decides what is written into them. */
export class OwnLogFiles implements OwnLog {
  readonly #file: LogFile
  readonly #atStart: LogLevel
  readonly #seen = new Set<string>()
  #settings = DEFAULT_LOG_SETTINGS

  constructor(parts: LogFileParts, atStart: LogLevel) {
    this.#file = new LogFile(parts)
    this.#atStart = atStart
  }

  /** A log that writes into the files and, the same lines, to `console`. */
  log(console: Log): Log {
    return (level, message, facts = {}) => {
      const part = partOf(facts)
      if (this.#seen.size < MAX_PARTS) this.#seen.add(part)
      if (!isWritten(this.#settings, this.#atStart, { level, part })) return
      console(level, redactForConsole(message), redactFacts(facts))
      this.#file.write({ level, part, message, facts })
    }
  }

  readonly open: OwnLog['open'] = () => this.#file.open()
  readonly heed: OwnLog['heed'] = (settings) => {
    this.#settings = settings
  }
  readonly boots: OwnLog['boots'] = () => this.#file.boots
  readonly parts: OwnLog['parts'] = () => [...this.#seen].sort()

  /** At the end of the service: nothing is written after that. */
  close(): Promise<void> {
    return this.#file.close()
  }

  /** Where the process ends at once. */
  closeNow(): void {
    this.#file.flushNow()
  }

  readonly look = async (): Promise<string | null> => {
    await this.#file.flushed()
    const { failure, folder } = this.#file
    return failure === null ? null : `lines cannot be written into ${folder} (${failure})`
  }

  readonly walk = ({ place, filter }: LogWalk, told: (line: LogLine) => boolean): Effect.Effect<LogWalkEnd, Fault> => {
    const from = numberOf(place)
    if (from === null) return Effect.fail(unknownCursor('own'))
    return Effect.promise(async (signal) => {
      await this.#file.flushed()
      const { newest } = this.#file
      const segments = [...this.#file.segments]
      const isOlder = place.way === 'older'
      const isBehind = (seq: number) => from === undefined || (isOlder ? seq < from : seq > from)
      const all = isOlder ? segments.toReversed() : segments
      const oldest = segments[0] ?? newest + 1
      const isUnknown = from !== undefined && from > newest // another log was here then
      const isGone = from !== undefined && (isUnknown || (isOlder ? from < oldest : from + 1 < oldest))
      for (const first of all) {
        const next = segments[segments.indexOf(first) + 1] ?? newest + 1
        if (!isUnknown && (isOlder ? !isBehind(first) : !isBehind(next - 1))) continue
        const lines = await readSegment(this.#file.folder, first)
        for (const line of isOlder ? lines.toReversed() : lines) {
          if ((!isUnknown && !isBehind(line.seq)) || line.seq > newest) continue
          if (filter.boot !== undefined && line.boot !== filter.boot) continue
          if (filter.level !== undefined && !isWithin(levelOf(line), filter.level)) continue
          if (signal.aborted || !told(this.#shown(line))) return { isGone, isEnd: false }
        }
      }
      return { isGone, isEnd: true }
    })
  }

  readonly follow = ({ line: told }: LogListener): (() => void) =>
    this.#file.subscribe((line) => told(this.#shown(line)))

  #shown(line: KeptLine): LogLine {
    const { seq, boot, monotonic_us, part, message, facts } = line
    return {
      cursor: `own:${seq}`,
      boot,
      monotonic_us,
      at_ms: this.#file.atMsOf(line),
      level: levelOf(line),
      part,
      pid: null,
      message,
      facts: facts ?? null,
    }
  }
}

const levelOf = ({ level }: KeptLine): LogLevel => LOG_LEVELS.find((each) => each === level) ?? 'info'

/** Of the line of a place; undefined: the place is an end. null: it is none of this log. */
const numberOf = ({ cursor }: LogPlace): number | undefined | null => {
  if (cursor === undefined || cursor === '') return undefined
  const [, number] = /^own:(\d{1,15})$/.exec(cursor) ?? []
  return number === undefined ? null : Number(number)
}
