// The pings of a server that come alone, as they do five times a second while nothing else happens: found and answered
// ahead of the library, whose way of reading a frame is long and, so seldom used, never compiled.
import { LENGTH_16, LENGTH_64, MASK_BYTES, MASKED } from './frame-head.ts'

const PING = 0x89
const PONG = 0x8a
const HEAD_BYTES = 2 // of a ping from a server, which is never longer and does not mask
const MAX_HEAD_LENGTH = 2 + 8 + MASK_BYTES
const MAX_PING_LENGTH = 125

/**
 * Keeps count of where frames begin in what a server sends, so that two bytes in the middle of a value are not taken
 * for a ping.
 *
 * Each chunk goes to `pongTo`, and, where that finds no ping, to the reader of frames, and to `passed`: all in their
 * order. It only looks for lengths; what is wrong with a frame is the reader's business.
 */
export class LonePings {
  readonly #head = Buffer.alloc(MAX_HEAD_LENGTH)
  #headLength = 0 // of a frame whose head has come in part
  #payloadLeft = 0
  #pong = emptyPong(0)

  /**
   * The pong that answers a chunk which is one whole ping and nothing else; undefined: it is not. It is good until the
   * next one is made.
   *
   * bytes: begin with the chunk, which has so many.
   */
  pongTo(bytes: Buffer, count: number): Buffer | undefined {
    const length = count - HEAD_BYTES
    if (bytes[0] !== PING || bytes[1] !== length || length > MAX_PING_LENGTH) return undefined
    if (this.#payloadLeft > 0 || this.#headLength > 0) return undefined
    if (this.#pong[1] !== (MASKED | length)) this.#pong = emptyPong(length)
    if (length > 0) bytes.copy(this.#pong, HEAD_BYTES + MASK_BYTES, HEAD_BYTES, count)
    return this.#pong
  }

  /** These bytes are read elsewhere. */
  passed(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, chunk.length - at)
        this.#payloadLeft -= taken
        at += taken
        continue
      }
      this.#head[this.#headLength++] = chunk[at++] as number
      if (this.#headLength < headBytes(this.#head, this.#headLength)) continue
      this.#payloadLeft = payloadBytes(this.#head)
      this.#headLength = 0
    }
  }
}

/** With a mask of zeros, as in frame-head.ts. */
const emptyPong = (length: number): Buffer => {
  const pong = Buffer.alloc(HEAD_BYTES + MASK_BYTES + length)
  pong[0] = PONG
  pong[1] = MASKED | length
  return pong
}

/** How long a head is, as far as its first bytes tell. */
const headBytes = (head: Buffer, known: number): number => {
  if (known < 2) return 2
  const length = (head[1] as number) & 0x7f
  return 2 + (length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0) + ((head[1] as number) & MASKED ? MASK_BYTES : 0)
}

const payloadBytes = (head: Buffer): number => {
  const length = (head[1] as number) & 0x7f
  if (length === LENGTH_16) return head.readUInt16BE(2)
  return length === LENGTH_64 ? Number(head.readBigUInt64BE(2)) : length
}
