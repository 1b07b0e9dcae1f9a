// Where messages begin and end on a WebSocket, found by counting: the library tells of those that are whole, and of one
// that is begun nothing.

const MAX_HEAD_BYTES = 10 // servers do not mask
const [LENGTH_IN_2, LENGTH_IN_8] = [126, 127]
const [LAST, CONTROL, LENGTH] = [0x80, 0x08, 0x7f]
const TWO_TO_THE_32 = 2 ** 32

/** Counts what a server sends after the handshake. What makes no sense is up to whoever reads it. */
export class MessageCounter {
  readonly #whole: () => void
  readonly #head = Buffer.alloc(MAX_HEAD_BYTES)
  #headBytes = 0 // of a head that is not whole
  #left = 0 // of what the present frame holds
  #isLast = false
  #isControl = false
  #isOpen = false // a message of several frames is

  /** whole: told when what was begun is whole, and nothing else is begun. */
  constructor(whole: () => void) {
    this.#whole = whole
  }

  /** Whether something is begun and not whole. */
  get isWithin(): boolean {
    return this.#isOpen || this.#left > 0 || this.#headBytes > 0
  }

  /** Takes what came next. */
  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at)
        at += taken
        this.#left -= taken
        if (this.#left === 0) this.#end()
      } else {
        this.#head[this.#headBytes] = chunk[at] as number
        this.#headBytes += 1
        at += 1
        if (this.#headBytes === headBytesOf(this.#head, this.#headBytes)) this.#begin()
      }
    }
  }

  #begin(): void {
    const [first, second] = this.#head as Buffer & readonly [number, number]
    this.#headBytes = 0
    this.#isLast = (first & LAST) !== 0
    this.#isControl = (first & CONTROL) !== 0
    if (!this.#isControl) this.#isOpen = true
    this.#left = lengthIn(this.#head, second & LENGTH)
    if (this.#left === 0) this.#end()
  }

  #end(): void {
    if (!this.#isControl) this.#isOpen = !this.#isLast
    if (!this.isWithin) this.#whole()
  }
}

/** How long a head is of which so many bytes are there. */
const headBytesOf = (head: Buffer, there: number): number => {
  if (there < 2) return 2
  const length = head.readUInt8(1) & LENGTH
  return length === LENGTH_IN_2 ? 4 : length === LENGTH_IN_8 ? MAX_HEAD_BYTES : 2
}

const lengthIn = (head: Buffer, length: number): number => {
  if (length === LENGTH_IN_2) return head.readUInt16BE(2)
  return length === LENGTH_IN_8 ? head.readUInt32BE(2) * TWO_TO_THE_32 + head.readUInt32BE(6) : length
}
