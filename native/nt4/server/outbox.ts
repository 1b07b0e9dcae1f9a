// Values that are still to be sent, each at its pace and in bounded room: to all who want the same, or to one who is
// behind.
import { MAX_BATCH_BYTES } from './limits.ts'

const TICK_MS = 10
const MAX_WAITING_BYTES = 1024 * 1024

/** How a topic is wanted. all: every change; else the latest in each period. */
export interface Pace {
  readonly periodMs: number
  readonly all: boolean
}

/** A complete message. number: it is the so-manyth that was offered. */
export interface Offered {
  readonly number: number
  readonly message: Uint8Array
}

/** One that waits. */
export interface Waiting extends Offered {
  readonly topicId: number
  readonly pace: Pace
}

interface Entry {
  values: Offered[]
  dueMs: number
  pace: Pace
}

/** Where the values go. */
export interface Sink {
  /** Whether anything can be sent now, asked before each time. */
  readonly takes: (nowMs: number) => boolean
  /** What makes one frame. */
  readonly send: (values: readonly Offered[]) => void
}

/**
 * Values wait here for their period to pass; one that comes later than that goes out in the same turn.
 *
 * While the sink takes nothing, or more than 1 MiB waits, only the latest value of each topic waits.
 */
export class ValueOutbox {
  readonly #sink: Sink
  readonly #entries = new Map<number, Entry>()
  readonly #waiting = new Map<number, Entry>()
  #waitingBytes = 0
  #offered = 0
  #isHeld = false
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** How many were offered so far. */
  get offered(): number {
    return this.#offered
  }

  /** Takes a complete message of a topic. */
  offer(topicId: number, message: Uint8Array, pace: Pace): void {
    const entry = this.#entries.get(topicId) ?? { values: [], dueMs: 0, pace }
    this.#entries.set(topicId, entry)
    entry.pace = pace
    if (!pace.all || this.#isHeld || this.#waitingBytes > MAX_WAITING_BYTES) this.#empty(entry)
    this.#offered += 1
    entry.values.push({ number: this.#offered, message })
    this.#waitingBytes += message.length
    this.#waiting.set(topicId, entry)
    if (isDue(entry, performance.now())) this.#immediate ??= setImmediate(() => this.#flush())
    else this.#tickLater()
  }

  /** What waits of that which was offered after so many. */
  waitingAfter(number: number): readonly Waiting[] {
    return [...this.#waiting].flatMap(([topicId, { values, pace }]) =>
      values.filter((value) => value.number > number).map((value) => ({ ...value, topicId, pace })),
    )
  }

  /** The topic is gone. */
  forget(topicId: number): void {
    const entry = this.#entries.get(topicId)
    if (!entry) return
    this.#empty(entry)
    this.#waiting.delete(topicId)
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
    this.#isHeld = !this.#sink.takes(nowMs)
    if (!this.#isHeld) this.#sendDue(nowMs)
    if (this.#waiting.size > 0) this.#tickLater()
  }

  #sendDue(nowMs: number): void {
    let frame: Offered[] = []
    let bytes = 0
    const send = () => {
      if (bytes > 0) this.#sink.send(frame)
      frame = []
      bytes = 0
    }
    for (const [topicId, entry] of this.#waiting) {
      if (!isDue(entry, nowMs)) continue
      for (const value of entry.values) {
        if (bytes + value.message.length > MAX_BATCH_BYTES) send()
        frame.push(value)
        bytes += value.message.length
      }
      this.#empty(entry)
      this.#waiting.delete(topicId)
      entry.dueMs = nowMs + entry.pace.periodMs
    }
    send()
  }

  #empty(entry: Entry): void {
    for (const { message } of entry.values) this.#waitingBytes -= message.length
    entry.values = []
  }

  #tickLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), TICK_MS).unref()
  }
}

/** Half a tick early is on time: a publisher's own jitter must not cost its value a whole tick. */
const isDue = (entry: Entry, nowMs: number): boolean => entry.dueMs - nowMs <= TICK_MS / 2
