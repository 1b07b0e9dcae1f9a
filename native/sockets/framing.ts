// How the bytes of a connection are cut into pieces that can be dealt with in one go, by what is spoken on it.
import { TokenBucket } from '../../machines/limits/token-bucket.ts'
import { FrameHeads } from '../../machines/websocket/frame-heads.ts'

/** How bytes are cut. */
export interface Framing {
  /** A turn begins. */
  readonly begin: () => void
  /** How many of these bytes may be dealt with now. */
  readonly cut: (bytes: Buffer) => number
  /** No more of it in this turn. */
  readonly isOver: boolean
  /** It is bytes and no more, which may come as fast as they can. */
  readonly isBulk: boolean
}

const END_OF_HEAD = '\n\r\n'
const MAX_REQUEST_BYTES = 1024 // where no head ends in them: 170 pieces of a body of one byte each
const MAX_ANSWER_BYTES = 4 * 1024 // 240 answers that say nothing

/** What clients ask over HTTP: a connection has its answer before the next question on it is read. */
export class RequestFraming implements Framing {
  #bodyBytes = 0 // that come yet
  #tail = '' // of the latest piece, where the end of a head may have begun
  #asked = 0

  get isOver(): boolean {
    return this.#asked > 0 && this.#bodyBytes === 0
  }

  get isBulk(): boolean {
    return this.#bodyBytes > 0
  }

  begin(): void {
    this.#asked = 0
  }

  /**
   * A request has come up to the end of its head. bodyBytes: how long it says that the rest is; 0 where it does not.
   */
  asks(bodyBytes: number): void {
    this.#asked += 1
    this.#bodyBytes = bodyBytes
  }

  /** Behind a head, where the body begins or the next request. */
  cut(bytes: Buffer): number {
    const { length } = bytes
    if (this.#bodyBytes > 0) {
      const count = Math.min(length, this.#bodyBytes)
      this.#bodyBytes -= count
      return count
    }
    const text = this.#tail + bytes.toString('latin1', 0, MAX_REQUEST_BYTES)
    const end = text.indexOf(END_OF_HEAD)
    const count = end < 0 ? Math.min(length, MAX_REQUEST_BYTES) : end + END_OF_HEAD.length - this.#tail.length
    this.#tail = end < 0 ? (/\n\r?$/.exec(text)?.[0] ?? '') : ''
    return count
  }
}

/** What servers answer over HTTP. */
export class ResponseFraming implements Framing {
  readonly isOver = false
  readonly isBulk = false

  begin(): void {}

  cut({ length }: Buffer): number {
    return Math.min(length, MAX_ANSWER_BYTES)
  }
}

/** Bytes that are not cut. */
export const BYTES: Framing = { isOver: false, isBulk: true, begin: () => {}, cut: ({ length }) => length }

const MAX_FRAMES = 64 // a turn; of pings, which cost most, one millisecond
const MAX_FRAMES_AT_ONCE = 8 // before the time is looked at
/** A robot library answers a break of a link with some hundreds of pings; alive, it sends five a second. */
const CONTROLS = { capacity: 2_000, perSecond: 200 }
/**
 * A client that sends each value by itself has 100 topics 50 times a second, a message in parts of 1,400 bytes has
 * 1,500 of them.
 */
const FRAMES = { capacity: 20_000, perSecond: 10_000 }

/** Frames of a WebSocket. */
export class WebSocketFraming implements Framing {
  readonly isBulk = false
  readonly #heads = new FrameHeads()
  readonly #controls = new TokenBucket(CONTROLS)
  readonly #frames = new TokenBucket(FRAMES)
  readonly #nowMs: () => number
  #used = 0
  /** What there is too much of; undefined: nothing. */
  flood: string | undefined

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  get isOver(): boolean {
    return this.#used >= MAX_FRAMES
  }

  begin(): void {
    this.#used = 0
  }

  cut(bytes: Buffer): number {
    const length = this.#heads.pass(bytes, Math.min(MAX_FRAMES_AT_ONCE, MAX_FRAMES - this.#used))
    const { frames, controls } = this.#heads
    this.#used += frames
    const nowMs = this.#nowMs()
    if (controls > 0 && !this.#controls.take(controls, nowMs))
      this.flood = `more than ${CONTROLS.capacity} pings and pongs`
    if (frames > 0 && !this.#frames.take(frames, nowMs)) this.flood = `more than ${FRAMES.capacity} frames`
    return length
  }
}
