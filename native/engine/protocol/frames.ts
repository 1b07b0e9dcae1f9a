// The wire between the control process and an engine: MessagePack frames over a socket pair, each behind its length.
//
// A frame is a u32 (little endian) with the length of what follows: a MessagePack array of a message and, for pictures,
// its bytes; or, for a result, a byte that begins nothing in MessagePack and the result's bytes: thirty times a second
// there is nothing to be read but doubles. Both sides use the same code, so neither imports more than this.
import { Packr, Unpackr } from 'msgpackr/pack'
import { whyNotWhole } from './packed.ts'
import type { Report } from './reports.ts'

/** A longer frame is a broken peer: a 4096x4096 picture at quality 100 stays below. */
export const MAX_FRAME_BYTES = 32 * 1024 * 1024

/** A longer order is a broken peer: the largest task has a manifest of 1 MiB and a field map of 1 MB. */
export const MAX_ORDER_BYTES = 4 * 1024 * 1024

const COPIED_BYTES = 16 * 1024 // below this, one write is cheaper than not copying
const LENGTH_BYTES = 4
const ARRAY_OF_ONE = 0x91
const ARRAY_OF_TWO = 0x92
const BIN_32 = 0xc6
const RESULT = 0xc1
const RESULT_REPORT: Report = { type: 'result' }
const NO_RESULT = "a result on the engine's wire is not made of doubles"

const packr = new Packr({ useRecords: false })
const unpackr = new Unpackr({ useRecords: false, int64AsType: 'number' })

/** A message of some wire: a document that names its type. */
export interface Framed {
  readonly type: string
}

/**
 * A message as the chunks to write, in order. Long bytes are handed through without a copy and must not change until
 * they are written.
 */
export const encodeFrame = <Message extends Framed>(message: Message, bytes?: Uint8Array): Uint8Array[] => {
  if (message.type === 'result' && bytes) return [encodeResult(bytes)]
  const packed = packr.pack(message)
  const headBytes = LENGTH_BYTES + 1 + packed.length + (bytes ? 5 : 0)
  const copied = bytes && bytes.length <= COPIED_BYTES ? bytes : undefined
  const head = Buffer.allocUnsafe(headBytes + (copied?.length ?? 0))
  head.writeUInt32LE(headBytes - LENGTH_BYTES + (bytes?.length ?? 0), 0)
  head[LENGTH_BYTES] = bytes ? ARRAY_OF_TWO : ARRAY_OF_ONE
  head.set(packed, LENGTH_BYTES + 1)
  if (!bytes) return [head]
  head[headBytes - 5] = BIN_32
  head.writeUInt32BE(bytes.length, headBytes - 4)
  if (!copied) return [head, bytes]
  head.set(copied, headBytes)
  return [head]
}

const encodeResult = (bytes: Uint8Array): Uint8Array => {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + 1 + bytes.length)
  frame.writeUInt32LE(1 + bytes.length, 0)
  frame[LENGTH_BYTES] = RESULT
  frame.set(bytes, LENGTH_BYTES + 1)
  return frame
}

/**
 * What a FrameReader hands out. isBorrowed: the bytes lie in the chunk that is being pushed; who keeps them longer
 * copies them.
 */
export type FrameListener<Message> = (message: Message, bytes: Uint8Array | undefined, isBorrowed: boolean) => void

/** What becomes of a frame that cannot be read. When it returns, the frame is skipped and reading goes on behind it. */
export type FrameRefused = (error: Error) => void

const giveUp: FrameRefused = (error) => {
  throw error
}

/**
 * Cuts a byte stream into messages. A message that came in one piece is read where it lies.
 *
 * refused: default, it throws out of push(), and nothing more can be read. maxBytes: no memory is taken for a longer
 * frame. maxValues: nor for one of more values.
 */
export class FrameReader<Message extends Framed> {
  readonly #listener: FrameListener<Message>
  readonly #refused: FrameRefused
  readonly #maxBytes: number
  readonly #maxValues: number
  readonly #length = Buffer.alloc(LENGTH_BYTES)
  #lengthFilled = 0
  #frame: Buffer | undefined
  #frameFilled = 0
  #skipping = 0 // bytes of a refused frame that are still to come

  constructor(
    listener: FrameListener<Message>,
    refused: FrameRefused = giveUp,
    maxBytes = MAX_FRAME_BYTES,
    maxValues = Number.POSITIVE_INFINITY,
  ) {
    this.#listener = listener
    this.#refused = refused
    this.#maxBytes = maxBytes
    this.#maxValues = maxValues
  }

  push(chunk: Buffer): void {
    if (this.#isWholeResult(chunk)) {
      this.#listener(RESULT_REPORT as unknown as Message, chunk.subarray(LENGTH_BYTES + 1), true)
      return
    }
    let at = Math.min(this.#skipping, chunk.length)
    this.#skipping -= at
    while (at < chunk.length) {
      at = this.#frame ? this.#continueFrame(this.#frame, chunk, at) : this.#startFrame(chunk, at)
    }
  }

  /** Nearly every chunk is one; the rest of this class is for those that are not. */
  #isWholeResult(chunk: Buffer): boolean {
    const length = chunk.length - LENGTH_BYTES
    if (length < 9 || length % 8 !== 1 || length > this.#maxBytes || chunk[LENGTH_BYTES] !== RESULT) return false
    return !this.#frame && this.#lengthFilled === 0 && this.#skipping === 0 && chunk.readUInt32LE(0) === length
  }

  #startFrame(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#length, this.#lengthFilled, at)
    this.#lengthFilled += taken
    if (this.#lengthFilled < LENGTH_BYTES) return at + taken
    this.#lengthFilled = 0
    const length = this.#length.readUInt32LE(0)
    const start = at + taken
    if (length === 0 || length > this.#maxBytes) {
      const skipped = Math.min(length, chunk.length - start)
      this.#skipping = length - skipped
      this.#refused(
        new RangeError(`a frame of ${length} bytes came over the engine's wire; at most ${this.#maxBytes} are allowed`),
      )
      return start + skipped
    }
    if (chunk.length - start >= length) {
      this.#deliver(chunk.subarray(start, start + length), true)
      return start + length
    }
    this.#frame = Buffer.allocUnsafeSlow(length)
    this.#frameFilled = 0
    return start
  }

  #continueFrame(frame: Buffer, chunk: Buffer, at: number): number {
    const taken = chunk.copy(frame, this.#frameFilled, at)
    this.#frameFilled += taken
    if (this.#frameFilled === frame.length) {
      this.#frame = undefined
      this.#deliver(frame, false)
    }
    return at + taken
  }

  #deliver(frame: Buffer, isBorrowed: boolean): void {
    if (frame[0] === RESULT) {
      if (frame.length % 8 !== 1 || frame.length < 9) this.#refused(new RangeError(NO_RESULT))
      else this.#listener(RESULT_REPORT as unknown as Message, frame.subarray(1), isBorrowed)
      return
    }
    const unpacked = unpack(frame, this.#maxValues)
    if (unpacked instanceof Error) this.#refused(unpacked)
    else this.#listener(unpacked[0] as unknown as Message, unpacked[1], isBorrowed)
  }
}

/** A message with its bytes, as far as it is a message at all: an object that names its type. */
const unpack = (
  frame: Buffer,
  maxValues: number,
): readonly [message: object, bytes: Uint8Array | undefined] | Error => {
  const why = whyNotWhole(frame, maxValues)
  if (why) return new RangeError(`a frame on the engine's wire is not MessagePack: ${why}`)
  try {
    const [message, bytes] = unpackr.unpack(frame) as unknown[]
    const isMessage = typeof (message as { type?: unknown } | null | undefined)?.type === 'string'
    if (isMessage && (bytes === undefined || bytes instanceof Uint8Array)) return [message as object, bytes]
  } catch (error) {
    return error as Error
  }
  return new TypeError("a frame on the engine's wire holds no message")
}
