// The wire between the control process and an engine: MessagePack frames over a socket pair, each behind its length.
//
// A frame is a u32 (little endian) with the length of what follows: a MessagePack array of a message and, for pictures, its bytes; or, for a result, a
// byte that begins nothing in MessagePack and the result's bytes: thirty times a second there is nothing to be read but doubles. Both sides use the same code, so neither imports more than this.
import { Packr, Unpackr } from 'msgpackr/pack'
import type { SourceClock } from '../../../machines/clock/source-clock.ts'
import type { Result } from '../../../machines/engine/result.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Heading, LiveControls } from '../../../machines/extcam/live.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Plan, StepParams } from '../../../machines/pipeline/graph.ts'
import type { Picture, PictureKind } from '../../../machines/stream/picture.ts'
import type { VideoPacket, VideoWant } from '../../../machines/stream/video.ts'
import type { ViewerLook } from '../../viewers/port.ts'
import type { EngineEvent, EngineOpened, EngineTask, RecordingOrder } from '../port.ts'
import type { Layouts, SentLayout } from './layouts.ts'
import { whyNotWhole } from './packed.ts'

/** Orders to an engine. Those with `ask` are answered. */
export type Order =
  | { readonly type: 'open'; readonly ask: number; readonly task: EngineTask }
  /** Another plan for the open camera. is_trial: whether it can be made is all that is asked. */
  | { readonly type: 'plan'; readonly ask: number; readonly plan: Plan; readonly is_trial?: boolean }
  /** All parameters of some of its steps. */
  | { readonly type: 'params'; readonly steps: readonly StepParams[] }
  | { readonly type: 'ping'; readonly ask: number }
  | { readonly type: 'controls'; readonly ask: number }
  | { readonly type: 'set-control'; readonly ask: number; readonly id: number; readonly value: number }
  | { readonly type: 'picture-kinds'; readonly kinds: readonly PictureKind[] }
  | { readonly type: 'mount'; readonly mount: PoseDocument | null }
  | { readonly type: 'live'; readonly live: LiveControls }
  | { readonly type: 'heading'; readonly heading: Heading }
  | { readonly type: 'source-clock'; readonly clock: SourceClock | null }
  | { readonly type: 'rewind'; readonly max_bytes: number; readonly is_paused?: boolean }
  | { readonly type: 'video'; readonly wanted: VideoWant | null }
  | { readonly type: 'video-key' }
  | ({ readonly type: 'record-start'; readonly ask: number } & RecordingOrder)
  | { readonly type: 'record-stop'; readonly ask: number }
  /** Begins to write to a viewer that it holds. */
  | { readonly type: 'viewer-start'; readonly viewer: number; readonly look: ViewerLook }
  /** Lets go of a viewer; one that is unknown has left. */
  | { readonly type: 'viewer-drop'; readonly viewer: number }
  /** Its bytes are a JPEG that its viewers of an output are shown until the next picture; without bytes: no more of that. output: empty for the camera's pictures. */
  | { readonly type: 'placeholder'; readonly output: string }

/** What comes with the socket of a viewer, beside the wire. place: of its record in the page. */
export interface ViewerMessage {
  readonly viewer: number
  readonly place: number
}

/** What an engine says. The bytes of a `result` are doubles as `resultFrom` reads them, those of a `picture` its JPEG, those of a `video` one of its pictures. */
export type Report =
  | { readonly type: 'ready' }
  /**
   * Done, or failed with a fault. value: what was asked for, if anything: a Pulse for a ping, a RecordingProgress for the end of a
   * recording, a list of Control, a ControlOutcome.
   */
  | { readonly type: 'answer'; readonly ask: number; readonly fault?: Fault; readonly value?: unknown }
  /** What was asked for is being made now: its turn has come, and its workers are ready. */
  | { readonly type: 'began'; readonly ask: number }
  /** The answer to a successful `open`. plan: the number of the results that have its layout. */
  | {
      readonly type: 'opened'
      readonly ask: number
      readonly opened: Omit<EngineOpened, 'layout'>
      readonly plan: number
      readonly layout: SentLayout
    }
  /** The answer to a successful `plan`; results of that number have this layout. */
  | { readonly type: 'planned'; readonly ask: number; readonly plan: number; readonly layout: SentLayout }
  | { readonly type: 'event'; readonly event: EngineEvent }
  | { readonly type: 'result' }
  /** No result has been there to be sent for QUIET_AFTER_MS. */
  | { readonly type: 'quiet' }
  | { readonly type: 'picture'; readonly picture: Omit<Picture, 'jpeg'> }
  | { readonly type: 'video'; readonly packet: Omit<VideoPacket, 'bytes'> }
  /** It holds the socket of a viewer, or not and why. position_bytes: see HeldViewer. */
  | { readonly type: 'viewer-held'; readonly viewer: number; readonly position_bytes: number }
  | { readonly type: 'viewer-refused'; readonly viewer: number; readonly fault: Fault }
  /** It no longer writes to a viewer, though nobody told it so. */
  | { readonly type: 'viewer-left'; readonly viewer: number; readonly why: 'gone' | 'stalled' }

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

/** A message as the chunks to write, in order. Long bytes are handed through without a copy and must not change until they are written. */
export const encodeFrame = (message: Order | Report, bytes?: Uint8Array): Uint8Array[] => {
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

/** What a FrameReader hands out. isBorrowed: the bytes lie in the chunk that is being pushed; who keeps them longer copies them. */
export type FrameListener<Message> = (message: Message, bytes: Uint8Array | undefined, isBorrowed: boolean) => void

/** What becomes of a frame that cannot be read. When it returns, the frame is skipped and reading goes on behind it. */
export type FrameRefused = (error: Error) => void

const giveUp: FrameRefused = (error) => {
  throw error
}

/**
 * Cuts a byte stream into messages. A message that came in one piece is read where it lies.
 *
 * refused: default, it throws out of push(), and nothing more can be read. maxBytes: no memory is taken for a longer frame.
 */
export class FrameReader<Message extends Order | Report> {
  readonly #listener: FrameListener<Message>
  readonly #refused: FrameRefused
  readonly #maxBytes: number
  readonly #length = Buffer.alloc(LENGTH_BYTES)
  #lengthFilled = 0
  #frame: Buffer | undefined
  #frameFilled = 0
  #skipping = 0 // bytes of a refused frame that are still to come

  constructor(listener: FrameListener<Message>, refused: FrameRefused = giveUp, maxBytes = MAX_FRAME_BYTES) {
    this.#listener = listener
    this.#refused = refused
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): void {
    if (this.#isWholeResult(chunk)) {
      this.#listener(RESULT_REPORT as Message, chunk.subarray(LENGTH_BYTES + 1), true)
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
      else this.#listener(RESULT_REPORT as Message, frame.subarray(1), isBorrowed)
      return
    }
    const unpacked = unpack(frame)
    if (unpacked instanceof Error) this.#refused(unpacked)
    else this.#listener(unpacked[0] as Message, unpacked[1], isBorrowed)
  }
}

/** A message with its bytes, as far as it is a message at all: an object that names its type. */
const unpack = (frame: Buffer): readonly [message: object, bytes: Uint8Array | undefined] | Error => {
  const why = whyNotWhole(frame)
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

/** The bytes of a result: its own doubles, then those of its sighting, then how many the latter are. */
export const resultBytes = (data: Uint8Array, sighting: Float64Array | undefined): Uint8Array => {
  const sightingBytes = sighting ? new Uint8Array(sighting.buffer, sighting.byteOffset, sighting.byteLength) : NOTHING
  const bytes = Buffer.allocUnsafe(data.length + sightingBytes.length + 8)
  bytes.set(data)
  bytes.set(sightingBytes, data.length)
  bytes.writeDoubleLE(sightingBytes.length / 8, data.length + sightingBytes.length)
  return bytes
}

const NOTHING = new Uint8Array(0)

/** The result in its bytes, copied: they came at any address, and doubles lie at multiples of eight. */
export const resultFrom = (bytes: Uint8Array, layouts: Layouts): Result | undefined => {
  const count = Math.floor(bytes.length / 8)
  const start = room(count)
  slabBytes.set(bytes.length === 8 * count ? bytes : bytes.subarray(0, 8 * count), 8 * start)
  const layout = layouts.of(slab, start)
  if (!layout) return undefined
  const end = start + count - 1
  const sighting = slab[end] as number
  if (!(sighting > 0 && sighting < count)) return { layout, data: slab.subarray(start, end) }
  return { layout, data: slab.subarray(start, end - sighting), sighting: slab.subarray(end - sighting, end) }
}

// Memory for a hundred results at a time: to ask for it, to clear it and to give it back takes longer than to copy what goes into it.
const SLAB_DOUBLES = 64 * 1024
let slab = new Float64Array(0)
let slabBytes = new Uint8Array(0)
let used = 0

/** Where so many doubles have room that nobody else holds. */
const room = (count: number): number => {
  if (used + count > slab.length) {
    slab = new Float64Array(Math.max(SLAB_DOUBLES, count))
    slabBytes = new Uint8Array(slab.buffer)
    used = 0
  }
  used += count
  return used - count
}
