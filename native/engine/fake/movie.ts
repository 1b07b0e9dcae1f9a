// What a fake engine records: an MP4 of JPEGs, a fragment for each (ISO/IEC 14496-12, 14496-1). As small as a player
// takes it.

type Part = Buffer | string | number

/** Numbers are 32 bits wide. */
const bytesOf = (part: Part): Buffer => {
  if (typeof part === 'string') return Buffer.from(part, 'latin1')
  if (typeof part !== 'number') return part
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(part)
  return bytes
}

const box = (type: string, ...parts: readonly Part[]): Buffer => {
  const content = Buffer.concat(parts.map(bytesOf))
  return Buffer.concat([bytesOf(8 + content.length), Buffer.from(type, 'latin1'), content])
}

const zeros = (count: number): Buffer => Buffer.alloc(count)
const u16 = (...values: readonly number[]): Buffer => Buffer.concat(values.map((value) => bytesOf(value).subarray(2)))

const TIMESCALE = 1_000_000
const MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(bytesOf))
const DEFAULT_BASE_IS_MOOF = 0x020000
const WITH_OFFSET_AND_SIZE = 0x000201
const EACH_IS_A_KEY = 0x02000000

// Descriptors of ISO/IEC 14496-1, each with its tag and length: 3, the stream; 4, how it is decoded: 0x6c, JPEG, 0x11,
// video; 6, how it is packed.
const ELEMENTARY_STREAM = box('esds', 0, Buffer.from([3, 21, 0, 1, 0, 4, 13, 0x6c, 0x11, ...zeros(11), 6, 1, 2]))

/** The beginning of a file of JPEGs of one size. */
export const movieHead = (widthPx: number, heightPx: number): Buffer => {
  const entry = box(
    'mp4v',
    ...[zeros(6), u16(1), zeros(16), u16(widthPx, heightPx), 0x480000, 0x480000, 0, u16(1), zeros(32), u16(24, 0xffff)],
    ELEMENTARY_STREAM,
  )
  const table = box(
    'stbl',
    box('stsd', 0, 1, entry),
    box('stts', 0, 0),
    box('stsc', 0, 0),
    box('stsz', 0, 0, 0),
    box('stco', 0, 0),
  )
  const media = box(
    'mdia',
    box('mdhd', 0, 0, 0, TIMESCALE, 0, u16(0x55c4, 0)),
    box('hdlr', 0, 0, 'vide', zeros(12), 'video\0'),
    box('minf', box('vmhd', 1, zeros(8)), box('dinf', box('dref', 0, 1, box('url ', 1))), table),
  )
  const track = box(
    'trak',
    box('tkhd', 3, 0, 0, 1, 0, 0, zeros(8), zeros(8), MATRIX, widthPx << 16, heightPx << 16),
    media,
  )
  const movie = box('mvhd', 0, 0, 0, TIMESCALE, 0, 0x10000, u16(0x100, 0), zeros(8), MATRIX, zeros(24), 2)
  return Buffer.concat([
    box('ftyp', 'isom', 0x200, 'isomiso6mp41'),
    box('moov', movie, track, box('mvex', box('trex', 0, 1, 1, 0, 0, EACH_IS_A_KEY))),
  ])
}

/** One picture, at its time since the first. number: of the fragment, from 1. */
export const movieFragment = (number: number, ptsUs: number, jpeg: Buffer): Buffer => {
  const made = (offset: number): Buffer => {
    const time = zeros(8)
    time.writeBigUInt64BE(BigInt(ptsUs))
    const run = box('trun', WITH_OFFSET_AND_SIZE, 1, offset, jpeg.length)
    return box(
      'moof',
      box('mfhd', 0, number),
      box('traf', box('tfhd', DEFAULT_BASE_IS_MOOF, 1), box('tfdt', 0x01000000, time), run),
    )
  }
  const moof = made(made(0).length + 8)
  return Buffer.concat([moof, box('mdat', jpeg)])
}
