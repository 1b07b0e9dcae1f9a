// JPEGs of pictures that are made of squares of one grey: two squares of four pixels lie side by side in a block of the
// format, so there are sixteen different blocks, and nothing is computed for each. A whole encoder would take tens of
// milliseconds of the process that keeps the robot's link, and know far more.

/** Pixels along the edge of a square. */
export const SQUARE_PX = 4

const BLOCK_PX = 8
const GREY = { paper: 28, ink: 225 } as const
const STEP = 8 // of all coefficients: coarse enough to be small, too fine to be seen

/** A picture of squares. ink: whether a square is, by column and row. */
export interface Squares {
  readonly width_px: number
  readonly height_px: number
  readonly ink: (column: number, row: number) => boolean
}

/** Baseline, grey (ITU-T T.81). */
export const jpegOf = ({ width_px, height_px, ink }: Squares): Uint8Array => {
  const bits = new Bits([...HEAD, ...startOfFrame(width_px, height_px), ...TABLES, ...START_OF_SCAN])
  let before = 0
  for (let row = 0; row * BLOCK_PX < height_px; row += 1) {
    for (let column = 0; column * BLOCK_PX < width_px; column += 1) {
      const [x, y] = [2 * column, 2 * row]
      const pattern = +ink(x, y) | (+ink(x + 1, y) << 1) | (+ink(x, y + 1) << 2) | (+ink(x + 1, y + 1) << 3)
      const { mean, rest } = blockFor(pattern)
      writeMean(bits, mean - before)
      before = mean
      for (let n = 0; n < rest.length; n += 1) {
        const code = rest[n] as Code
        bits.write(code[0], code[1])
      }
    }
  }
  return bits.end()
}

// Codes of our own instead of the usual ones: those for the means are all of four bits, "nothing more in this block" is
// one bit, and all others are of nine.
const MEAN_CODE_BITS = 4
const OTHER_CODE_BITS = 9
const END_OF_BLOCK = [0, 1] as const
// run of zeros, size
const OTHERS = [0xf0, ...Array.from({ length: 160 }, (_, n) => (Math.floor(n / 10) << 4) | ((n % 10) + 1))]
const SIXTEEN_ZEROS = 0xf0
const codeOf = (symbol: number): Code => [(1 << (OTHER_CODE_BITS - 1)) + OTHERS.indexOf(symbol), OTHER_CODE_BITS]

const sizeOf = (value: number): number => 32 - Math.clz32(Math.abs(value))
const bitsOf = (value: number): Code => {
  const size = sizeOf(value)
  return [value < 0 ? value + (1 << size) - 1 : value, size]
}

const writeMean = (bits: Bits, difference: number): void => {
  bits.write(sizeOf(difference), MEAN_CODE_BITS)
  bits.write(...bitsOf(difference))
}

/** Bits, and how many. */
type Code = readonly [number, number]

interface Block {
  /** The first coefficient. */
  readonly mean: number
  /** All others. */
  readonly rest: readonly Code[]
}

// The order in which a block's coefficients are written: diagonal by diagonal, to and fro.
const ZIGZAG = Array.from({ length: BLOCK_PX ** 2 }, (_, n) => [n % BLOCK_PX, Math.floor(n / BLOCK_PX)] as const).sort(
  ([ax, ay], [bx, by]) => ax + ay - (bx + by) || ((ax + ay) % 2 === 0 ? by - ay : ay - by),
)

const blockOf = (pattern: number): Block => {
  const greyOf = (square: number): number => ((pattern >> square) & 1 ? GREY.ink : GREY.paper) - 128
  const [mean = 0, ...others] = ZIGZAG.map(([u, v]) => Math.round(coefficient(greyOf, u, v) / STEP))
  const rest: Code[] = []
  let zeros = 0
  for (const value of others) {
    if (value === 0) {
      zeros += 1
      continue
    }
    for (; zeros > 15; zeros -= 16) rest.push(codeOf(SIXTEEN_ZEROS))
    rest.push(codeOf((zeros << 4) | sizeOf(value)), bitsOf(value))
    zeros = 0
  }
  if (zeros > 0) rest.push(END_OF_BLOCK)
  return { mean, rest }
}

/** Of the discrete cosine transform: what each of the four squares adds. */
const coefficient = (greyOf: (square: number) => number, u: number, v: number): number => {
  const weight = (frequency: number): number => (frequency === 0 ? Math.SQRT1_2 : 1)
  const part = (half: number, frequency: number): number => {
    let sum = 0
    for (let at = half * SQUARE_PX; at < (half + 1) * SQUARE_PX; at += 1)
      sum += Math.cos(((2 * at + 1) * frequency * Math.PI) / 16)
    return sum * weight(frequency)
  }
  const [left, right, top, bottom] = [part(0, u), part(1, u), part(0, v), part(1, v)]
  return (top * (greyOf(0) * left + greyOf(1) * right) + bottom * (greyOf(2) * left + greyOf(3) * right)) / 4
}

const blocks: (Block | undefined)[] = []
const blockFor = (pattern: number): Block => {
  blocks[pattern] ??= blockOf(pattern)
  return blocks[pattern]
}

const u16 = (value: number): readonly number[] => [value >> 8, value & 0xff]
const segment = (marker: number, ...bytes: readonly number[]): readonly number[] => [
  ...[0xff, marker],
  ...u16(bytes.length + 2),
  ...bytes,
]
/** lengths: how many codes there are of each length, 1 to 16 bits. */
const huffmanTable = (which: number, lengths: Readonly<Record<number, number>>, symbols: readonly number[]) =>
  segment(0xc4, which, ...Array.from({ length: 16 }, (_, n) => lengths[n + 1] ?? 0), ...symbols)

const HEAD = [
  ...[0xff, 0xd8],
  ...segment(0xe0, ...[0x4a, 0x46, 0x49, 0x46, 0], ...[1, 1, 0], ...u16(1), ...u16(1), 0, 0), // JFIF 1.1, square pixels
  ...segment(0xdb, 0, ...Array.from({ length: BLOCK_PX ** 2 }, () => STEP)),
]
const startOfFrame = (width: number, height: number) => segment(0xc0, 8, ...u16(height), ...u16(width), 1, 1, 0x11, 0)
const TABLES = [
  ...huffmanTable(
    0x00,
    { [MEAN_CODE_BITS]: 12 },
    Array.from({ length: 12 }, (_, size) => size),
  ),
  ...huffmanTable(0x10, { 1: 1, [OTHER_CODE_BITS]: OTHERS.length }, [0, ...OTHERS]),
]
const START_OF_SCAN = segment(0xda, 1, 1, 0x00, 0, 63, 0)

/** Bits behind bytes. A byte of ones is followed by one of zeros, so that it is no marker. */
class Bits {
  readonly #bytes: number[]
  #waiting = 0
  #count = 0

  constructor(before: readonly number[]) {
    this.#bytes = [...before]
  }

  write(value: number, length: number): void {
    this.#waiting = (this.#waiting << length) | value
    this.#count += length
    while (this.#count >= 8) {
      this.#count -= 8
      this.#push((this.#waiting >> this.#count) & 0xff)
      this.#waiting &= (1 << this.#count) - 1
    }
  }

  /** Fills the last byte with ones, and ends the picture. */
  end(): Uint8Array {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count)
    this.#bytes.push(0xff, 0xd9)
    return Uint8Array.from(this.#bytes)
  }

  #push(byte: number): void {
    this.#bytes.push(byte)
    if (byte === 0xff) this.#bytes.push(0)
  }
}
