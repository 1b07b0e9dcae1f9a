// Our own log, kept in bounded files in the data folder. It is written beside what the service does and never holds
// that up: what cannot be written (a full disk) is counted and said later, and what waits is bounded.
import { readFileSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers'
import { Listeners } from '../../machines/listeners.ts'
import { type Boot, plainBootId, withBootOfNow } from '../../machines/logs/boots.ts'
import type { LogLevel } from '../../machines/logs/level.ts'
import { cutMessage } from '../../machines/logs/line.ts'
import { redact, redactFacts } from '../../machines/logs/redact.ts'
import type { Clock } from '../clock/port.ts'
import { writeFileWhole } from '../files/atomic.ts'
import {
  type KeptLine,
  keepLogFolder,
  makeLogFolder,
  mendEnd,
  removeSegment,
  segmentName,
  segmentsIn,
} from './segments.ts'

/** Where and how much is kept. */
export interface LogFileParts {
  readonly folder: string
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  /** Of one file. */
  readonly maxFileBytes?: number
  readonly maxFiles?: number
  /** Where the system says which start of the device this is. */
  readonly bootIdPath?: string
}

/** A line that is to be written. */
export interface NewLine {
  readonly level: LogLevel
  readonly part: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

const MAX_FILE_BYTES = 1_048_576
const MAX_FILES = 16
const MAX_WAITING_CHARACTERS = 1_000_000 // while the disk does not take them
const MAX_FACTS_CHARACTERS = 8_192
const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const ONLY_FOR_US = 0o600

interface Waiting {
  readonly text: string
  readonly isError: boolean
  /** The lines that are lost if this one is: of one that tells of others, those. */
  readonly lines: number
}

/** One folder of files has one of these at a time. */
export class LogFile {
  readonly #parts: Required<LogFileParts>
  readonly #listeners = new Listeners<KeptLine>(() => {}) // what one throws would be logged, and come here again
  readonly #isOfNow: (line: KeptLine) => boolean
  #boots: readonly [Boot, ...Boot[]]
  #segments: number[] = []
  #seq = 0
  #sizeBytes = 0
  #handle: FileHandle | undefined
  #waiting: Waiting[] = []
  #waitingCharacters = 0
  #isOpen = false
  #isClosed = false
  #flushing: Promise<void> | undefined
  #lost = 0
  #lastLost = 0 // its number
  #failure: string | null = null

  constructor(parts: LogFileParts) {
    this.#parts = { maxFileBytes: MAX_FILE_BYTES, maxFiles: MAX_FILES, bootIdPath: BOOT_ID, ...parts }
    this.#boots = [{ boot: 1, boot_id: '', at_ms: 0 }]
    this.#isOfNow = ({ boot }) => boot === this.boot
  }

  /** Of now. */
  get boot(): number {
    return (this.#boots.at(-1) as Boot).boot
  }

  get boots(): readonly Boot[] {
    return this.#boots
  }

  get folder(): string {
    return this.#parts.folder
  }

  /** The numbers of the first lines of its files. */
  get segments(): readonly number[] {
    return this.#segments
  }

  /** Of the newest line. */
  get newest(): number {
    return this.#seq
  }

  /** Why lines cannot be written now; null: they can. */
  get failure(): string | null {
    return this.#failure
  }

  /**
   * From now on lines are kept: until then they wait, since another service may be the one that has this folder. What
   * is there already is read, as much of it as is needed to go on.
   */
  open(): void {
    if (this.#isOpen || this.#isClosed) return
    this.#isOpen = true
    const before = this.#waiting
    this.#waiting = []
    this.#waitingCharacters = 0
    try {
      this.#takeUp()
    } catch (error) {
      this.#failure = (error as Error).message
    }
    for (const { text, isError } of before) this.#keep(JSON.parse(text), isError)
  }

  /** Secrets are taken out of it here. Never throws, never waits. */
  write({ level, part, message, facts }: NewLine): void {
    if (this.#isClosed) return
    const { nowMs, monotonicUs } = this.#parts.clock
    const line = {
      monotonic_us: monotonicUs(),
      at_ms: nowMs(),
      level,
      part,
      message: cutMessage(redact(message)),
      ...shortFacts(facts),
    }
    if (this.#isOpen) this.#keep(line, level === 'error')
    else this.#wait({ text: JSON.stringify(line), isError: level === 'error', lines: 1 })
  }

  /** Calls `listener` for each line from now on; returns the way to stop that. */
  subscribe(listener: (line: KeptLine) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** A line as it is shown: when the clock was set since, those of this start of the device are put right. */
  atMsOf(line: KeptLine): number {
    if (!this.#isOfNow(line)) return line.at_ms
    const { nowMs, monotonicUs } = this.#parts.clock
    return Math.round(nowMs() - (monotonicUs() - line.monotonic_us) / 1000)
  }

  /** Done when the files hold all that was written so far, or it cannot be written. */
  async flushed(): Promise<void> {
    if (this.#isOpen) await (this.#flushing ?? this.#flush())
  }

  async close(): Promise<void> {
    await this.flushed()
    this.#isClosed = true
    await this.#handle?.close()
    this.#handle = undefined
  }

  /** What waits, at the very end of a process that does not get to close. */
  flushNow(): void {
    if (!this.#handle || this.#waiting.length === 0) return
    try {
      writeSync(this.#handle.fd, this.#waiting.map(({ text }) => text).join(''))
    } catch {
      // nobody is left to be told
    }
    this.#waiting = []
  }

  #takeUp(): void {
    const { folder, bootIdPath, clock } = this.#parts
    makeLogFolder(folder)
    this.#segments = [...segmentsIn(folder)]
    const newest = this.#segments.at(-1)
    let lastBoot = 0
    if (newest !== undefined) {
      const { sizeBytes, last } = mendEnd(folder, newest)
      this.#seq = Math.max(last?.seq ?? 0, newest)
      this.#sizeBytes = last ? sizeBytes : this.#parts.maxFileBytes // what holds no line is not gone on with
      lastBoot = last?.boot ?? 0
    } else {
      this.#sizeBytes = this.#parts.maxFileBytes
    }
    const path = join(folder, 'boots.json')
    const known = bootsAt(path)
    this.#boots = withBootOfNow(known, { boot_id: bootId(bootIdPath), at_ms: clock.nowMs() }, lastBoot)
    if (this.#boots === known) return
    try {
      writeFileWhole(path, `${JSON.stringify(this.#boots)}\n`, { mode: ONLY_FOR_US })
    } catch {
      // the lines say it too
    }
  }

  #keep(line: Omit<KeptLine, 'seq' | 'boot'>, isError: boolean): void {
    this.#seq += 1
    const kept: KeptLine = { seq: this.#seq, boot: this.boot, ...line }
    this.#wait({ text: `${JSON.stringify(kept)}\n`, isError, lines: 1 })
    this.#listeners.notify(kept)
  }

  #wait(waiting: Waiting): void {
    if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) {
      this.#lose([waiting])
      return
    }
    const all = this.#lost > 0 && this.#isOpen ? [this.#noticeOfLost(), waiting] : [waiting]
    for (const each of all) {
      this.#waitingCharacters += each.text.length
      this.#waiting.push(each)
    }
    if (!this.#isOpen || this.#flushing) return
    // what is said in one turn is written at once
    this.#flushing = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#flush())
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      this.#waitingCharacters = 0
      await this.#append(batch)
    }
    this.#flushing = undefined
  }

  async #append(batch: readonly Waiting[]): Promise<void> {
    try {
      const bytes = Buffer.from(batch.map(({ text }) => text).join(''))
      const handle = await this.#handleFor(bytes.length, numberIn(batch[0]?.text))
      await handle.appendFile(bytes)
      this.#sizeBytes += bytes.length
      this.#failure = null
      // a line that says why everything ended shall outlive a power cut; all else need not
      if (batch.some(({ isError }) => isError)) await handle.datasync()
    } catch (error) {
      this.#lose(batch)
      this.#failure = (error as Error).message
      // half a line may stand there
      await this.#handle?.truncate(this.#sizeBytes).catch(() => this.#giveUpFile())
    }
  }

  #lose(lines: readonly Waiting[]): void {
    this.#lost += lines.reduce((sum, each) => sum + each.lines, 0)
    this.#lastLost = numberIn(lines.at(-1)?.text)
  }

  /** Lines go on in another file. */
  async #giveUpFile(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    this.#sizeBytes = this.#parts.maxFileBytes
    await handle?.close().catch(() => {})
  }

  /** The file that so many bytes fit into. */
  async #handleFor(bytes: number, first: number): Promise<FileHandle> {
    const { folder, maxFileBytes, maxFiles } = this.#parts
    const current = this.#segments.at(-1)
    if (current !== undefined && this.#sizeBytes + bytes <= maxFileBytes) {
      this.#handle ??= await open(join(folder, segmentName(current)), 'a', ONLY_FOR_US)
      return this.#handle
    }
    await this.#handle?.close()
    this.#handle = undefined
    await keepLogFolder(folder)
    for (const old of this.#segments.splice(0, Math.max(0, this.#segments.length + 1 - maxFiles)))
      await removeSegment(folder, old)
    this.#handle = await open(join(folder, segmentName(first)), 'a', ONLY_FOR_US)
    if (current !== first) this.#segments.push(first)
    this.#sizeBytes = (await this.#handle.stat()).size
    return this.#handle
  }

  #noticeOfLost(): Waiting {
    const { nowMs, monotonicUs } = this.#parts.clock
    const lines = this.#lost
    this.#lost = 0
    const why = this.#failure ?? 'there were too many at once'
    const kept: KeptLine = {
      seq: this.#lastLost,
      boot: this.boot,
      monotonic_us: monotonicUs(),
      at_ms: nowMs(),
      level: 'warn',
      part: 'logs',
      message: `${lines} ${lines === 1 ? 'line' : 'lines'} before this could not be written: ${why}`,
    }
    return { text: `${JSON.stringify(kept)}\n`, isError: false, lines }
  }
}

/** Of a line, whose number stands first in it. */
const numberIn = (text = ''): number => Number(/^\{"seq":(\d+)/.exec(text)?.[1] ?? 0)

const shortFacts = (facts: Readonly<Record<string, unknown>>): Pick<KeptLine, 'facts'> => {
  if (Object.keys(facts).length === 0) return {}
  try {
    const shown = redactFacts(facts)
    const text = JSON.stringify(shown)
    if (text.length <= MAX_FACTS_CHARACTERS) return { facts: shown }
    return { facts: { cut: text.slice(0, MAX_FACTS_CHARACTERS) } }
  } catch {
    return {} // of what cannot be written in JSON the message has to do
  }
}

const bootId = (path: string): string => {
  try {
    return plainBootId(readFileSync(path, 'utf8'))
  } catch {
    return ''
  }
}

const bootsAt = (path: string): readonly Boot[] => {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as readonly Boot[]
    const isWhole = ({ boot, boot_id, at_ms }: Boot) =>
      Number.isSafeInteger(boot) && Number.isSafeInteger(at_ms) && typeof boot_id === 'string'
    return kept.every(isWhole) ? kept : []
  } catch {
    return []
  }
}
