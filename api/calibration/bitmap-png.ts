// A bitmap as a PNG of one bit per pixel, or of a byte where it has colours, which says how large a pixel is: programs
// print it in true size.
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { Bitmap } from '../../machines/calibration/board/raster.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PER_METRE = 1
const BY_PALETTE = 3
const deflated = promisify(deflate)

/** The file. It is packed on another thread. */
export const bitmapPng = async ({ width, height, pixelsPerMm, rows, palette }: Bitmap): Promise<Buffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = palette ? 8 : 1 // bits; what is not said is 0: grey, packed as ever, row by row
  if (palette) header[9] = BY_PALETTE
  const size = Buffer.alloc(9)
  const perMetre = Math.round(1000 * pixelsPerMm)
  size.writeUInt32BE(perMetre, 0)
  size.writeUInt32BE(perMetre, 4)
  size[8] = PER_METRE
  const unfiltered = Buffer.alloc(1)
  const pixels = Buffer.concat(rows.flatMap((row) => [unfiltered, row]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('pHYs', size),
    ...(palette ? [chunk('PLTE', Buffer.from(palette.flat()))] : []),
    chunk('IDAT', await deflated(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const chunk = (type: string, content: Buffer): Buffer => {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const summed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(summed))
  return Buffer.concat([length, summed, sum])
}
