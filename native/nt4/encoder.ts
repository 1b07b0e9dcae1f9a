// Writes NT4 value messages by hand: a general MessagePack writer turns whole doubles into integers and large integers
// into floats, and a real server hangs up on both.
import { WIRE, type WireType } from './codec.ts'
import type { Nt4Value } from './port.ts'

const FIRST_BYTES = 65_536 // a frame of 25 topics with a JSON document takes about 15 kB

/**
 * Builds one WebSocket frame after another in one buffer that grows when it must.
 *
 * Use: `begin`, any number of `put`, `take`. What `take` returns is a window on the buffer, not a copy. headBytes: so
 * many bytes lie unused before each frame, for the sender to put its own head there.
 */
export class MessageEncoder {
  readonly #headBytes: number
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = viewOf(this.#bytes)
  #start = 0
  #at = 0

  constructor(headBytes = 0) {
    this.#headBytes = headBytes
  }

  /**
   * Starts a frame. reuse: nobody holds an earlier frame any more, so the buffer may be written from its front again;
   * otherwise the new frame is put behind the last.
   */
  begin(reuse: boolean): void {
    if (reuse) this.#at = 0
    this.#start = this.#at
    this.#room(this.#headBytes)
    this.#at += this.#headBytes
  }

  /**
   * Adds a message. False: the value does not fit the type, and nothing was added.
   *
   * timestampUs: a whole number. Integers may be numbers or bigints within 64 bits.
   */
  put(id: number, timestampUs: number, wireType: WireType, value: Nt4Value): boolean {
    const before = this.#at - this.#start
    this.#room(24)
    this.#byte(0x94)
    this.#integer(id)
    this.#integer(timestampUs)
    this.#byte(wireType)
    if (this.#value(wireType, value)) return true
    this.#at = this.#start + before
    return false
  }

  /** Of the frame built since `begin`, with what lies unused before it. */
  get length(): number {
    return this.#at - this.#start
  }

  /** The frame built since `begin`. */
  take(): Buffer {
    return this.#bytes.subarray(this.#start + this.#headBytes, this.#at)
  }

  /** The same with the unused bytes before it. */
  takeWithHead(): Buffer {
    return this.#bytes.subarray(this.#start, this.#at)
  }

  #value(wireType: WireType, value: Nt4Value): boolean {
    switch (wireType) {
      case WIRE.boolean:
        return this.#boolean(value)
      case WIRE.double:
        return this.#double(value)
      case WIRE.int:
        return this.#int(value)
      case WIRE.float:
        return this.#float(value)
      case WIRE.string:
        return this.#string(value)
      case WIRE.bytes:
        return this.#bin(value)
      case WIRE.doubles:
        return this.#doubles(value)
      case WIRE.booleans:
        return this.#array(value, 1, (element) => this.#boolean(element))
      case WIRE.ints:
        return this.#array(value, 9, (element) => this.#int(element))
      case WIRE.floats:
        return this.#array(value, 5, (element) => this.#float(element))
      case WIRE.strings:
        return this.#array(value, 0, (element) => this.#string(element))
    }
  }

  #boolean(value: unknown): boolean {
    this.#byte(value === true ? 0xc3 : 0xc2)
    return typeof value === 'boolean'
  }

  #double(value: unknown): boolean {
    if (typeof value !== 'number') return false
    this.#byte(0xcb)
    this.#view.setFloat64(this.#at, value)
    this.#at += 8
    return true
  }

  #float(value: unknown): boolean {
    if (typeof value !== 'number') return false
    this.#byte(0xca)
    this.#view.setFloat32(this.#at, value)
    this.#at += 4
    return true
  }

  #int(value: unknown): boolean {
    if (Number.isSafeInteger(value)) {
      this.#integer(value as number)
      return true
    }
    const wide = typeof value === 'bigint' ? value : Number.isInteger(value) ? BigInt(value as number) : undefined
    if (wide === undefined || BigInt.asIntN(64, wide) !== wide) return false
    this.#byte(0xd3)
    this.#view.setBigInt64(this.#at, wide)
    this.#at += 8
    return true
  }

  /** The hot path: most bytes of a frame are arrays of doubles, so one room check and no call per element. */
  #doubles(value: Nt4Value): boolean {
    if (!(value instanceof Float64Array) && !Array.isArray(value)) return false
    this.#room(5 + 9 * value.length)
    this.#arrayHead(value.length)
    const view = this.#view
    let at = this.#at
    for (let i = 0; i < value.length; i++) {
      const element = value[i]
      if (typeof element !== 'number') return false
      view.setUint8(at, 0xcb)
      view.setFloat64(at + 1, element)
      at += 9
    }
    this.#at = at
    return true
  }

  /** elementBytes: room to make for each element; 0 when the elements make their own. */
  #array(value: Nt4Value, elementBytes: number, put: (element: unknown) => boolean): boolean {
    const elements: unknown = value instanceof Float64Array ? Array.from(value) : value
    if (!Array.isArray(elements)) return false
    this.#room(5 + elementBytes * elements.length)
    this.#arrayHead(elements.length)
    return elements.every(put)
  }

  /**
   * The head is chosen for the longest UTF-8 the text could need and filled in afterwards: measuring first costs as
   * much as writing.
   */
  #string(value: unknown): boolean {
    if (typeof value !== 'string') return false
    const most = 3 * value.length
    this.#room(5 + most)
    const head = this.#at
    this.#at += most < 32 ? 1 : most < 0x1_0000 ? 3 : 5
    const length = this.#bytes.write(value, this.#at)
    const end = this.#at + length
    this.#at = head
    if (most < 32) this.#byte(0xa0 | length)
    else if (most < 0x1_0000) this.#head16(0xda, length)
    else this.#head32(0xdb, length)
    this.#at = end
    return true
  }

  #bin(value: unknown): boolean {
    if (!(value instanceof Uint8Array)) return false
    this.#room(5 + value.length)
    if (value.length < 0x1_0000) this.#head16(0xc5, value.length)
    else this.#head32(0xc6, value.length)
    this.#bytes.set(value, this.#at)
    this.#at += value.length
    return true
  }

  #arrayHead(length: number): void {
    if (length < 16) this.#byte(0x90 | length)
    else if (length < 0x1_0000) this.#head16(0xdc, length)
    else this.#head32(0xdd, length)
  }

  #head16(code: number, length: number): void {
    this.#byte(code)
    this.#view.setUint16(this.#at, length)
    this.#at += 2
  }

  #head32(code: number, length: number): void {
    this.#byte(code)
    this.#u32(length)
  }

  /** A safe integer in its shortest form that is an integer. */
  #integer(value: number): void {
    if (value >= -32 && value < 128) this.#byte(value & 0xff)
    else if (value >= 0 && value < 2 ** 32) {
      this.#byte(0xce)
      this.#u32(value)
    } else {
      this.#byte(value < 0 ? 0xd3 : 0xcf)
      this.#view.setInt32(this.#at, Math.floor(value / 2 ** 32))
      this.#at += 4
      this.#u32(value)
    }
  }

  #byte(value: number): void {
    this.#bytes[this.#at++] = value
  }

  /** Writes the low 32 bits. */
  #u32(value: number): void {
    this.#view.setUint32(this.#at, value)
    this.#at += 4
  }

  /**
   * Makes room for that many further bytes and for one number.
   *
   * A larger buffer takes over the frame under construction; the old one lives on in what was taken from it.
   */
  #room(bytes: number): void {
    const needed = bytes + 9
    if (this.#at + needed <= this.#bytes.length) return
    const frame = this.takeWithHead()
    const size = Math.max(FIRST_BYTES, 2 * (frame.length + needed))
    this.#bytes = Buffer.allocUnsafeSlow(size)
    this.#view = viewOf(this.#bytes)
    this.#bytes.set(frame)
    this.#at = frame.length
    this.#start = 0
  }
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
