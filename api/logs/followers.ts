// Those who follow logs. A source is followed once, however many do; lines of a tenth of a second go out as one
// message, which is written out once for all who want the same lines. Of one who takes them too slowly only the number
// of what was left out is kept.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { LogReader } from '../../actors/logs/tokens.ts'
import type { LogLine, LogSourceId } from '../../machines/logs/line.ts'
import { filterOf, type LogFilter } from '../../machines/logs/query.ts'
import { textFrame } from '../../machines/websocket/server-frame.ts'
import { sayGoodbye } from '../connections/goodbye.ts'

/** One who follows: a WebSocket, and what it writes to. */
export interface FollowerEnds {
  readonly socket: WebSocket
  readonly connection: Socket
}

/** At the device. */
export const MAX_FOLLOWERS = 32
const FLUSH_EVERY_MS = 100 // journalctl itself is later by as much
const MAX_WAITING_LINES = 5_000 // of one message
const MAX_BEHIND_BYTES = 524_288 // that one has not taken yet
const STALL_LIMIT_MS = 30_000 // as viewers

export class LogFollowers {
  readonly #reader: LogReader
  readonly #bySource = new Map<LogSourceId, FollowedSource>()
  readonly #members = new Set<Follower>()

  constructor(reader: LogReader) {
    this.#reader = reader
  }

  get isFull(): boolean {
    return this.#members.size >= MAX_FOLLOWERS
  }

  /** Tells a socket so many of the newest lines, and from then on those that come. */
  async accept(ends: FollowerEnds, source: LogSourceId, filter: LogFilter, backlog: number): Promise<void> {
    const { socket, connection } = ends
    const follower = new Follower(ends)
    this.#members.add(follower)
    const followed = this.#followedNow(source)
    const leave = followed.join(follower, filter)
    connection.once('close', () => {
      this.#members.delete(follower)
      follower.stop()
      leave()
      if (followed.isEmpty && this.#bySource.get(source) === followed) this.#bySource.delete(source)
    })
    const absent = await this.#reader.look(source).catch((error: Error) => error.message)
    follower.send({ kind: 'begin', source, absent })
    const page = backlog === 0 ? [] : await this.#newest(source, filter, backlog)
    if (socket.readyState === socket.OPEN) follower.begin(page)
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    for (const follower of this.#members) follower.end()
  }

  /** One that has ended is not followed on: the source may be there again. */
  #followedNow(source: LogSourceId): FollowedSource {
    const known = this.#bySource.get(source)
    if (known && !known.hasEnded) return known
    const followed = new FollowedSource(this.#reader, source)
    this.#bySource.set(source, followed)
    return followed
  }

  async #newest(source: LogSourceId, filter: LogFilter, limit: number): Promise<readonly LogLine[]> {
    const page = await this.#reader.page({ source, filter, limit, place: { way: 'older' } })
    return 'lines' in page ? page.lines : []
  }
}

/** A source, followed as long as there is anybody. */
class FollowedSource {
  readonly #groups = new Map<string, Group>()
  readonly #stop: () => void
  #whyEnded: string | undefined

  constructor(reader: LogReader, source: LogSourceId) {
    this.#stop = reader.follow(
      source,
      (line) => this.#tell(line),
      (detail) => {
        this.#whyEnded = detail
        for (const group of this.#groups.values()) group.ended(detail)
      },
    )
  }

  /** It tells no more lines: who comes now follows it anew. */
  get hasEnded(): boolean {
    return this.#whyEnded !== undefined
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0
  }

  /** Returns the way to leave. The last one ends it. */
  join(follower: Follower, filter: LogFilter): () => void {
    const key = JSON.stringify(filter)
    const group = this.#groups.get(key) ?? new Group(filter)
    this.#groups.set(key, group)
    group.members.add(follower)
    if (this.#whyEnded !== undefined) follower.ended(this.#whyEnded)
    return () => {
      group.members.delete(follower)
      if (group.members.size > 0) return
      group.stop()
      this.#groups.delete(key)
      if (this.#groups.size === 0) this.#stop()
    }
  }

  #tell(line: LogLine): void {
    let text: string | undefined
    for (const group of this.#groups.values()) {
      if (!group.wants(line)) continue
      text ??= JSON.stringify(line)
      group.tell(line, text)
    }
  }
}

/** Lines that go out as one message. frame: the message, written out when it is first needed. */
interface Batch {
  readonly lines: readonly LogLine[]
  readonly frame: Buffer
  /** So many there was no room for. */
  readonly left: number
}

/** All who want the same lines. */
class Group {
  readonly members = new Set<Follower>()
  readonly wants: (line: LogLine) => boolean
  #lines: LogLine[] = []
  #texts: string[] = []
  #left = 0
  #timer: NodeJS.Timeout | undefined

  constructor(filter: LogFilter) {
    this.wants = filterOf(filter)
  }

  tell(line: LogLine, text: string): void {
    if (this.#lines.length >= MAX_WAITING_LINES) this.#left += 1
    else {
      this.#lines.push(line)
      this.#texts.push(text)
    }
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_EVERY_MS).unref()
  }

  ended(detail: string): void {
    this.#flush()
    for (const member of this.members) member.ended(detail)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0) return
    const frame = textFrame([Buffer.from(`{"kind":"lines","lines":[${this.#texts.join(',')}]}`)])
    const batch: Batch = { lines: this.#lines, frame, left: this.#left }
    this.#lines = []
    this.#texts = []
    this.#left = 0
    for (const member of this.members) member.take(batch)
  }
}

const frameOf = (lines: readonly LogLine[]): Buffer =>
  textFrame([Buffer.from(JSON.stringify({ kind: 'lines', lines }))])

/** Whether a line came after all of these. */
const newsAfter = (lines: readonly LogLine[]): ((line: LogLine) => boolean) | undefined => {
  const newest = lines.at(-1)
  if (!newest) return undefined
  const told = new Set(lines.map(({ cursor }) => cursor))
  const newestUs = newest.monotonic_us ?? 0
  return ({ boot, monotonic_us, cursor }) =>
    !told.has(cursor) && (boot !== newest.boot || monotonic_us === null || monotonic_us >= newestUs)
}

/** One of them. What it is sent goes past the library, which would make a head for each and write it by itself. */
class Follower {
  readonly #ends: FollowerEnds
  #early: Batch[] | undefined = [] // until it has what there was already
  #isNews: ((line: LogLine) => boolean) | undefined
  #lost = 0
  #behindSinceMs: number | undefined
  #whyEnded: string | undefined

  constructor(ends: FollowerEnds) {
    this.#ends = ends
  }

  /** What was there already. Of what has come meanwhile, and is still to come, that is left out. */
  begin(lines: readonly LogLine[]): void {
    if (lines.length > 0) this.send({ kind: 'lines', lines })
    this.#isNews = newsAfter(lines)
    const early = this.#early ?? []
    this.#early = undefined
    for (const batch of early) this.take(batch)
    if (this.#whyEnded !== undefined) this.ended(this.#whyEnded)
  }

  take(batch: Batch): void {
    this.#lost += batch.left
    if (this.#early) {
      if (this.#early.reduce((sum, { lines }) => sum + lines.length, 0) < MAX_WAITING_LINES) this.#early.push(batch)
      else this.#lost += batch.lines.length
      return
    }
    const lines = this.#isNews ? batch.lines.filter(this.#isNews) : batch.lines
    const isWhole = lines.length === batch.lines.length
    if (isWhole) this.#isNews = undefined // and so is all that follows
    if (this.#isBehind()) this.#lost += lines.length
    else if (lines.length > 0) this.#tell(isWhole ? batch.frame : frameOf(lines))
  }

  #tell(frame: Buffer): void {
    if (this.#lost > 0) this.send({ kind: 'lost', count: this.#lost })
    this.#lost = 0
    if (this.#isOpen) this.#ends.connection.write(frame)
  }

  send(message: object): void {
    if (this.#isOpen) this.#ends.connection.write(textFrame([Buffer.from(JSON.stringify(message))]))
  }

  /** Nothing comes any more. Told once it has what there was already, and it is let go: it may ask again. */
  ended(detail: string): void {
    this.#whyEnded = detail
    if (this.#early) return
    this.send({ kind: 'ended', detail })
    sayGoodbye(this.#ends.socket, 'the log cannot be followed any more')
  }

  stop(): void {
    this.#early = undefined
  }

  end(): void {
    const { socket } = this.#ends
    sayGoodbye(socket, 'the service stops')
  }

  get #isOpen(): boolean {
    return this.#ends.socket.readyState === this.#ends.socket.OPEN
  }

  /** One that takes nothing for too long is gone or asleep; when it wakes up it asks again. */
  #isBehind(): boolean {
    const { connection, socket } = this.#ends
    if (connection.writableLength <= MAX_BEHIND_BYTES) {
      this.#behindSinceMs = undefined
      return false
    }
    this.#behindSinceMs ??= performance.now()
    if (performance.now() - this.#behindSinceMs > STALL_LIMIT_MS) socket.terminate()
    return true
  }
}
