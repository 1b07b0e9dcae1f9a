// Media files made up on the spot: as much of them as is looked at when they are stored; and which lie in a data
// directory.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bytes } from '../../../native/media/content/bytes.ts'

const marker = (code: number, data?: Uint8Array): Buffer => {
  if (!data) return Buffer.from([0xff, code])
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A JPEG from its header to its end. more: segments before the header. scan: what stands for its pixels. */
export const jpegFile = (
  width: number,
  height: number,
  { bits = 8, colours = 3, more = [], scan = Buffer.alloc(40, 0x5a) }: Partial<JpegParts> = {},
): Buffer => {
  const frame = Buffer.alloc(6 + 3 * colours)
  frame[0] = bits
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  frame[5] = colours
  return Buffer.concat([
    marker(0xd8),
    ...more.map(([code, data]) => marker(code, data)),
    marker(0xc0, frame),
    marker(0xda, Buffer.alloc(2 * colours + 4)),
    scan,
    marker(0xd9),
  ])
}

interface JpegParts {
  readonly bits: number
  readonly colours: number
  readonly more: readonly (readonly [code: number, data: Uint8Array])[]
  readonly scan: Buffer
}

/** The content of the segment in which a camera notes which side is up. order: of its bytes. */
export const exifNote = (orientation: number, order: 'II' | 'MM' = 'II'): Buffer => {
  const isLittle = order === 'II'
  const u16 = (value: number) => (isLittle ? [value & 255, value >> 8] : [value >> 8, value & 255])
  const u32 = (value: number) => (isLittle ? [...u16(value), 0, 0] : [0, 0, ...u16(value)])
  const entry = (tag: number, value: number) => [...u16(tag), ...u16(3), ...u32(1), ...u16(value), 0, 0]
  const table = [...u16(2), ...entry(0x0103, 6), ...entry(0x0112, orientation), ...u32(0)]
  return Buffer.concat([Buffer.from(`Exif\0\0${order}`, 'latin1'), Buffer.from([...u16(42), ...u32(8), ...table])])
}

/** An ISO box. */
export const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

const writeMatrix = (header: Buffer, at: number, [a, b, c, d]: readonly number[]): void => {
  for (const [n, value] of [a, b, 0, c, d].entries()) header.writeInt32BE((value as number) * 0x1_0000, at + 4 * n)
  header.writeInt32BE(0x4000_0000, at + 32)
}

/** A video with an index and no pictures. matrix: how its pictures are shown. */
export const mp4File = ({
  brand = 'isom',
  width = 640,
  height = 480,
  durationMs = 1500,
  handler = 'vide',
  matrix = [1, 0, 0, 1] as readonly [a: number, b: number, c: number, d: number],
} = {}): Buffer => {
  const mvhd = Buffer.alloc(100)
  mvhd.writeUInt32BE(1000, 12)
  mvhd.writeUInt32BE(durationMs, 16)
  writeMatrix(mvhd, 36, [1, 0, 0, 1])
  const tkhd = Buffer.alloc(84)
  writeMatrix(tkhd, 40, matrix)
  const hdlr = Buffer.alloc(24)
  hdlr.write(handler, 8, 'latin1')
  const entry = Buffer.alloc(86)
  entry.writeUInt32BE(86)
  entry.write('mp4v', 4, 'latin1')
  entry.writeUInt16BE(width, 32)
  entry.writeUInt16BE(height, 34)
  const stbl = box('stbl', box('stsd', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), entry))
  const trak = box('trak', box('tkhd', tkhd), box('mdia', box('hdlr', hdlr), box('minf', stbl)))
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`, 'latin1')),
    box('moov', box('mvhd', mvhd), trak),
    box('mdat', Buffer.alloc(64)),
  ])
}

/** A part of a recording that can be played by itself. */
export const fragment = (bytes = 500): Buffer =>
  Buffer.concat([box('moof', Buffer.alloc(24)), box('mdat', Buffer.alloc(bytes))])

/** The names of all files of the media in a data directory, whatever folder they lie in. */
export const storedFiles = (dataDir: string): readonly string[] =>
  readdirSync(join(dataDir, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()

/** A file in memory, to be walked through. */
export const bytesOf = (file: Buffer): Bytes => ({
  size: file.length,
  at: async (offset, length) => file.subarray(offset, offset + length),
})
