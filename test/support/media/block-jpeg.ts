// JPEGs in colour, made up on the spot: each block of eight by eight pixels is of one colour, which is all that a JPEG
// without details has to say.

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number]

/** The side of a block, pixels. */
export const BLOCK_PX = 8

const SOI = [0xff, 0xd8]
const EOI = [0xff, 0xd9]
const segment = (marker: number, ...data: readonly number[]) => [0xff, marker, ...word(data.length + 2), ...data]
const word = (value: number) => [value >> 8, value & 0xff]

/**
 * Levels differ by at most 2040, which takes so many bits, each with a code of so many: as in the table of the standard
 * for brightness.
 */
const CODES = ['00', '010', '011', '100', '101', '110', '1110', '11110', '111110', '1111110', '11111110', '111111110']
const TABLE_OF_LEVELS = segment(0xc4, 0x00, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, ...CODES.keys())
/** One code, of one bit: there are no details. */
const TABLE_OF_DETAILS = segment(0xc4, 0x10, 1, ...Array<number>(15).fill(0), 0)
const NO_DETAILS = '0'

/** A picture of columns by rows blocks, without coarser colours. paint: the colour of each block. */
export const blockJpeg = (columns: number, rows: number, paint: (column: number, row: number) => Colour): Buffer => {
  const before = [0, 0, 0]
  let bits = ''
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (const [plane, level] of levelsOf(paint(column, row)).entries()) {
        bits += codeOf(level - (before[plane] as number)) + NO_DETAILS
        before[plane] = level
      }
  const planes = [1, 2, 3]
  return Buffer.from([
    ...SOI,
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(
      0xc0,
      8,
      ...word(rows * BLOCK_PX),
      ...word(columns * BLOCK_PX),
      3,
      ...planes.flatMap((id) => [id, 0x11, 0]),
    ),
    ...TABLE_OF_LEVELS,
    ...TABLE_OF_DETAILS,
    ...segment(0xda, 3, ...planes.flatMap((id) => [id, 0]), 0, 63, 0),
    ...stuffed(bits),
    ...EOI,
  ])
}

/** Brightness, blueness and redness, each eight times its distance from the middle. */
const levelsOf = ([red, green, blue]: Colour): readonly number[] => {
  const bright = 0.299 * red + 0.587 * green + 0.114 * blue
  return [bright - 128, (blue - bright) / 1.772, (red - bright) / 1.402].map((level) => 8 * Math.round(level))
}

/** A difference: how many bits it has, and these; of a negative one those of one less. */
const codeOf = (difference: number): string => {
  const size = Math.abs(difference).toString(2).length * Number(difference !== 0)
  const value = difference < 0 ? difference + 2 ** size - 1 : difference
  return CODES[size] + (size > 0 ? value.toString(2).padStart(size, '0') : '')
}

/** Bits in bytes, the last filled up with ones; behind a byte of ones stands one of zeros, so that it is no marker. */
const stuffed = (bits: string): number[] => {
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []
  return bytes.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))
}
