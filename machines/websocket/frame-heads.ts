// Finds where frames begin on a WebSocket, by their lengths alone. What is wrong with a frame is the business of
// its reader.

const [LENGTH_IN_2, LENGTH_IN_8] = [126, 127]
const [CONTROL, MASKED, LENGTH] = [0x08, 0x80, 0x7f]
const MAX_HEAD_BYTES = 14
const TWO_TO_THE_32 = 2 ** 32

/** Counts the frames among bytes that come in pieces, in either direction, from the first frame on. */
export class FrameHeads {
  readonly #head = new Uint8Array(MAX_HEAD_BYTES)
  #headBytes = 0 // of a head that is not whole
  #payloadLeft = 0
  /** So many began in the latest piece. */
  frames = 0
  /** So many of those were pings, pongs and the like. */
  controls = 0

  /**
   * Returns how many of these bytes come before the frame that would be one too many. Those are passed; the others have
   * to be given again.
   */
  pass(bytes: Uint8Array, maxFrames: number): number {
    this.frames = 0
    this.controls = 0
    let at = 0
    while (at < bytes.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, bytes.length - at)
        this.#payloadLeft -= taken
        at += taken
        continue
      }
      if (this.#headBytes === 0) {
        if (this.frames === maxFrames) break
        this.frames += 1
        if ((bytes[at] as number) & CONTROL) this.controls += 1
      }
      this.#head[this.#headBytes] = bytes[at] as number
      this.#headBytes += 1
      at += 1
      if (this.#headBytes < headBytesOf(this.#head, this.#headBytes)) continue
      this.#payloadLeft = payloadBytesOf(this.#head)
      this.#headBytes = 0
    }
    return at
  }
}

/** How long a head is, as far as its first bytes tell. */
const headBytesOf = (head: Uint8Array, known: number): number => {
  if (known < 2) return 2
  const second = head[1] as number
  const length = second & LENGTH
  return 2 + (length === LENGTH_IN_2 ? 2 : length === LENGTH_IN_8 ? 8 : 0) + (second & MASKED ? 4 : 0)
}

const payloadBytesOf = (head: Uint8Array): number => {
  const length = (head[1] as number) & LENGTH
  if (length < LENGTH_IN_2) return length
  const number = (from: number, count: number) =>
    head.subarray(from, from + count).reduce((sum, byte) => sum * 256 + byte, 0)
  return length === LENGTH_IN_2 ? number(2, 2) : number(2, 4) * TWO_TO_THE_32 + number(6, 4)
}
