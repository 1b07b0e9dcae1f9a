// What the kernel says, where there is no journal that keeps it: its buffer (/dev/kmsg), of this start of the device
// only, each line a record `priority,number,microseconds,flags;text`.
import { closeSync, constants, openSync, readSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Boot } from '../../machines/logs/boots.ts'
import type { LogLevel } from '../../machines/logs/level.ts'
import { cutMessage, type LogLine } from '../../machines/logs/line.ts'
import { redact } from '../../machines/logs/redact.ts'
import type { Clock } from '../clock/port.ts'
import { unknownCursor } from './faults.ts'
import type { LogListener, LogSource, LogWalk, LogWalkEnd } from './port.ts'

/** What the buffer is read with. */
export interface KernelBufferParts {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly boots: () => readonly Boot[]
  readonly path?: string
}

const KMSG = '/dev/kmsg'
const RECORD_BYTES = 8_192 // the longest that there is
const MAX_RECORDS = 20_000
const LOOK_EVERY_MS = 500
const RECORD = /^(\d+),(\d+),(\d+),[^;]*;(.*)$/s

interface KernelRecord {
  readonly seq: number
  readonly level: LogLevel
  readonly monotonicUs: number
  readonly text: string
}

export class KernelBuffer implements LogSource {
  readonly #parts: Required<KernelBufferParts>
  readonly #listeners = new Set<LogListener>()

  constructor(parts: KernelBufferParts) {
    this.#parts = { path: KMSG, ...parts }
  }

  readonly look = async (): Promise<string | null> => {
    try {
      this.#read()
      return null
    } catch (error) {
      return `what the kernel says cannot be read (${(error as Error).message})`
    }
  }

  readonly walk = ({ place, filter }: LogWalk, told: (line: LogLine) => boolean) =>
    Effect.suspend((): Effect.Effect<LogWalkEnd, Fault> => {
      const from = this.#numberOf(place.cursor)
      if (from === null) return Effect.fail(unknownCursor('kernel'))
      try {
        const records = this.#read()
        const isGone = from !== undefined && (records[0]?.seq ?? 0) > from + (place.way === 'newer' ? 1 : 0)
        const all = place.way === 'older' ? records.toReversed() : records
        for (const record of all) {
          if (from !== undefined && (place.way === 'older' ? record.seq >= from : record.seq <= from)) continue
          const line = this.#lineOf(record)
          if (filter.boot !== undefined && filter.boot !== line.boot) continue
          if (!told(line)) return Effect.succeed({ isGone, isEnd: false })
        }
        return Effect.succeed({ isGone, isEnd: true })
      } catch (error) {
        const detail = `what the kernel says cannot be read (${(error as Error).message})`
        return Effect.fail<Fault>({ code: 'device.failed', detail })
      }
    })

  /** The device is kept open, so that each look reads what is new alone. */
  readonly follow = (listener: LogListener): (() => void) => {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#begin()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#end()
    }
  }

  #begin(): void {
    try {
      const reader = new RecordReader(this.#parts.path)
      reader.next()
      const tell = () => {
        for (const record of recordsOf(reader)) {
          const line = this.#lineOf(record)
          for (const listener of this.#listeners) listener.line(line)
        }
      }
      const timer = setInterval(tell, LOOK_EVERY_MS).unref()
      this.#end = () => {
        clearInterval(timer)
        reader.close()
        this.#end = () => {}
      }
    } catch (error) {
      const why = `what the kernel says cannot be read (${(error as Error).message})`
      for (const listener of this.#listeners) listener.ended(why)
      this.#listeners.clear()
    }
  }

  #end = (): void => {}

  /** Of now. */
  #read(): readonly KernelRecord[] {
    const reader = new RecordReader(this.#parts.path)
    try {
      return reader.next()
    } finally {
      reader.close()
    }
  }

  #lineOf({ seq, level, monotonicUs, text }: KernelRecord): LogLine {
    const { clock, boots } = this.#parts
    const now = boots().at(-1)
    return {
      cursor: `kmsg:${now?.boot ?? 0}:${seq}`,
      boot: now?.boot ?? null,
      monotonic_us: monotonicUs,
      at_ms: Math.round(clock.nowMs() - (clock.monotonicUs() - monotonicUs) / 1000),
      level,
      part: 'kernel',
      pid: null,
      message: cutMessage(redact(text)),
      facts: null,
    }
  }

  /** Of another start of the device everything is gone. */
  #numberOf(cursor = ''): number | undefined | null {
    if (cursor === '') return undefined
    const [, boot, seq] = /^kmsg:(\d+):(\d+)$/.exec(cursor) ?? []
    if (seq === undefined) return null
    return Number(boot) === this.#parts.boots().at(-1)?.boot ? Number(seq) : -1
  }
}

/** None while they cannot be read: it is tried again. */
const recordsOf = (reader: RecordReader): readonly KernelRecord[] => {
  try {
    return reader.next()
  } catch {
    return []
  }
}

/** Each read of the device gives one record; a file that stands for it gives many at once. */
class RecordReader {
  readonly #file: number
  readonly #bytes = Buffer.alloc(RECORD_BYTES)
  #rest = ''

  /** Throws the error of the file system. */
  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  }

  /** All that are there and were not read yet. Throws the error of the file system. */
  next(): readonly KernelRecord[] {
    const records: KernelRecord[] = []
    while (records.length < MAX_RECORDS) {
      const length = readOnce(this.#file, this.#bytes)
      if (length === 0) break
      if (length < 0) continue
      const lines = (this.#rest + this.#bytes.toString('utf8', 0, length)).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const text of lines) records.push(...recordIn(text))
    }
    return records
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** 0: there is no more. -1: a record was overwritten meanwhile, and the next one follows. */
const readOnce = (file: number, bytes: Buffer): number => {
  try {
    return readSync(file, bytes, 0, bytes.length, null)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return 0
    if (code === 'EPIPE') return -1
    throw error
  }
}

const LEVELS: readonly LogLevel[] = ['error', 'error', 'error', 'error', 'warn', 'info', 'info', 'debug']

/** What else stands in a record, moved in by a space, are names for programs. */
const recordIn = (text: string): readonly KernelRecord[] => {
  const [, priority, seq, us, message = ''] = RECORD.exec(text) ?? []
  if (seq === undefined) return []
  const level = LEVELS[Number(priority) & 7] ?? 'info'
  return [{ seq: Number(seq), level, monotonicUs: Number(us), text: unescaped(message) }]
}

/** Bytes that are no printable text are written as `\x1b`. */
const unescaped = (text: string): string =>
  text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => {
    const byte = Number.parseInt(hex, 16)
    return byte === 10 || byte === 9 ? ' ' : byte < 32 ? '' : String.fromCharCode(byte)
  })
