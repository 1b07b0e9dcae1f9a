// Writes JSON as bytes into one buffer that is kept: JSON.stringify would need an object per tag and a dozen digits per
// number.

const PLACES = 5
const SCALE = 10 ** PLACES

// Digits are made by 32-bit arithmetic, nine at a time. Decimals are dropped above 1e9: nothing in metres, degrees or
// ms gets there.
const CHUNK_DIGITS = 9
const CHUNK = 10 ** CHUNK_DIGITS
const MAX = CHUNK * CHUNK

const zero = '0'.charCodeAt(0)
const minus = '-'.charCodeAt(0)
const point = '.'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const open = '['.charCodeAt(0)
const close = ']'.charCodeAt(0)

const BEYOND_ASCII = /[\u007f-\uffff]/g

/** ASCII text made ready for `JsonBytes.text`. */
export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** A text in the making. It holds `capacity` bytes; to write more is a bug. */
export class JsonBytes {
  readonly #bytes: Uint8Array
  readonly #decoder = new TextDecoder()
  #length = 0

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** Begins again, empty. */
  clear(): this {
    this.#length = 0
    return this
  }

  text(part: Uint8Array): this {
    const bytes = this.#bytes
    const from = this.#length
    for (let i = 0; i < part.length; i++) bytes[from + i] = part[i] as number
    this.#length = from + part.length
    return this
  }

  /** A whole number, rounded; what is not finite is 0. */
  integer(value: number): this {
    const whole = Math.round(Math.abs(value))
    if (!(whole < MAX)) return this.integer(0)
    if (value < 0 && whole > 0) this.#bytes[this.#length++] = minus
    if (whole < CHUNK) this.#digits(whole)
    else {
      const high = Math.floor(whole / CHUNK)
      this.#digits(high)
      this.#fixed(whole - high * CHUNK, CHUNK_DIGITS)
    }
    return this
  }

  /** A number with up to five decimal places; what is not finite is 0. */
  decimal(value: number): this {
    if (!(Math.abs(value) < CHUNK)) return this.integer(value)
    const scaled = Math.round(Math.abs(value) * SCALE)
    const whole = Math.floor(scaled / SCALE)
    const fraction = scaled - whole * SCALE
    if (value < 0 && scaled > 0) this.#bytes[this.#length++] = minus
    this.#digits(whole)
    if (fraction > 0) {
      this.#bytes[this.#length++] = point
      this.#fixed(fraction, PLACES)
    }
    return this
  }

  /** Any text, in quotation marks, as ASCII. It takes up to six bytes for each of its UTF-8 and two more. */
  quoted(text: string): this {
    const plain = JSON.stringify(text).replace(
      BEYOND_ASCII,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    return this.text(ascii(plain))
  }

  /** Numbers in square brackets. */
  array(values: Float64Array, from: number, count: number): this {
    this.#bytes[this.#length++] = open
    for (let i = 0; i < count; i++) {
      if (i > 0) this.#bytes[this.#length++] = comma
      this.decimal(values[from + i] as number)
    }
    this.#bytes[this.#length++] = close
    return this
  }

  toString(): string {
    return this.#decoder.decode(this.#bytes.subarray(0, this.#length))
  }

  #digits(whole: number): void {
    let width = 1
    for (let limit = 10; limit <= whole; limit *= 10) width++
    this.#fixed(whole, width)
  }

  /** value: below 10^width, and below 2^31. */
  #fixed(value: number, width: number): void {
    const bytes = this.#bytes
    let rest = value | 0
    for (let at = this.#length + width - 1; at >= this.#length; at--) {
      const tenth = (rest / 10) | 0
      bytes[at] = zero + rest - tenth * 10
      rest = tenth
    }
    this.#length += width
  }
}
