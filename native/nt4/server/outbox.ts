// What one client is still to be sent: at its own pace, in bounded room, and at nobody else's expense.
import { LARGEST_BATCH_BYTES } from './limits.ts'

const TICK_MS = 10
const CONGESTED_BYTES = 1024 * 1024
const LONGEST_STALL_MS = 5_000

/** How a client wants a topic. all: every change; else the latest in each period. */
export interface Pace {
  readonly periodMs: number
  readonly all: boolean
}

interface Entry {
  values: Uint8Array[]
  dueMs: number
  pace: Pace
}

/** Where the frames go. buffered: bytes that the system has not taken yet. */
export interface Sink {
  readonly buffered: () => number
  readonly send: (frame: Uint8Array) => void
  /** The client has not read for too long. */
  readonly stalled: () => void
}

/**
 * Values wait here for their period to pass; one that comes later than that goes out in the same turn.
 *
 * While more than 1 MiB is unread only the latest value of each topic waits; after 5 s of that the client is given up.
 */
export class ValueOutbox {
  readonly #sink: Sink
  readonly #entries = new Map<number, Entry>()
  readonly #waiting = new Set<Entry>()
  #waitingBytes = 0
  #congestedSinceMs: number | undefined
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Takes a complete message of a topic. */
  offer(topicId: number, message: Uint8Array, pace: Pace): void {
    const entry = this.#entries.get(topicId) ?? { values: [], dueMs: 0, pace }
    this.#entries.set(topicId, entry)
    entry.pace = pace
    if (!pace.all || this.#waitingBytes > CONGESTED_BYTES || this.#congestedSinceMs !== undefined) this.#empty(entry)
    entry.values.push(message)
    this.#waitingBytes += message.length
    this.#waiting.add(entry)
    if (isDue(entry, performance.now())) this.#immediate ??= setImmediate(() => this.#flush())
    else this.#tickLater()
  }

  /** The topic is gone, or the client no longer wants it. */
  forget(topicId: number): void {
    const entry = this.#entries.get(topicId)
    if (!entry) return
    this.#empty(entry)
    this.#waiting.delete(entry)
    this.#entries.delete(topicId)
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#entries.clear()
    this.#waiting.clear()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#timer = undefined
    this.#immediate = undefined
    const nowMs = performance.now()
    if (this.#isStalled(nowMs)) {
      this.#sink.stalled()
      return
    }
    if (this.#congestedSinceMs === undefined) this.#sendDue(nowMs)
    if (this.#waiting.size > 0) this.#tickLater()
  }

  #sendDue(nowMs: number): void {
    let frame: Uint8Array[] = []
    let bytes = 0
    const send = () => {
      if (bytes > 0) this.#sink.send(frame.length === 1 ? (frame[0] as Uint8Array) : Buffer.concat(frame, bytes))
      frame = []
      bytes = 0
    }
    for (const entry of this.#waiting) {
      if (!isDue(entry, nowMs)) continue
      for (const value of entry.values) {
        if (bytes + value.length > LARGEST_BATCH_BYTES) send()
        frame.push(value)
        bytes += value.length
      }
      this.#empty(entry)
      this.#waiting.delete(entry)
      entry.dueMs = nowMs + entry.pace.periodMs
    }
    send()
  }

  #isStalled(nowMs: number): boolean {
    if (this.#sink.buffered() <= CONGESTED_BYTES) this.#congestedSinceMs = undefined
    else this.#congestedSinceMs ??= nowMs
    return this.#congestedSinceMs !== undefined && nowMs - this.#congestedSinceMs > LONGEST_STALL_MS
  }

  #empty(entry: Entry): void {
    for (const value of entry.values) this.#waitingBytes -= value.length
    entry.values = []
  }

  #tickLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), TICK_MS).unref()
  }
}

/** Half a tick early is on time: a publisher's own jitter must not cost its value a whole tick. */
const isDue = (entry: Entry, nowMs: number): boolean => entry.dueMs - nowMs <= TICK_MS / 2
