// Pictures made up on the spot: PNGs of one channel, for tests that need a picture of their own and no camera.
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A grey picture. shade: the grey level of each pixel, 0 to 255. */
export const grayPng = (width: number, height: number, shade: (x: number, y: number) => number = () => 128): Buffer => {
  const rows = Buffer.alloc(height * (width + 1)) // each row begins with its filter: none
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = shade(x, y)
  return Buffer.concat([SIGNATURE, header(width, height), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND')])
}

/** A grey picture of 16 bits. note: a chunk between the header and the pixels. */
export const deepPng = (
  width: number,
  height: number,
  shade: (x: number, y: number) => number,
  note?: { readonly type: string; readonly data: Buffer },
): Buffer => {
  const rows = Buffer.alloc(height * (2 * width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.writeUInt16BE(shade(x, y), y * (2 * width + 1) + 1 + 2 * x)
  const notes = note ? [pngChunk(note.type, note.data)] : []
  const pixels = pngChunk('IDAT', deflateSync(rows))
  return Buffer.concat([SIGNATURE, header(width, height, 16), ...notes, pixels, pngChunk('IEND')])
}

/** A PNG whose header and end are right and whose pixels are not there. */
export const emptyPng = (width: number, height: number): Buffer =>
  Buffer.concat([SIGNATURE, header(width, height), pngChunk('IDAT', deflateSync(Buffer.alloc(1))), pngChunk('IEND')])

const header = (width: number, height: number, bits = 8): Buffer => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = bits
  return pngChunk('IHDR', data)
}

/** A chunk with its check sum. */
export const pngChunk = (type: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** A picture in colour. pixel: red, green and blue, 0 to 255, or to 65535 where it is deep. */
export const colourPng = (
  width: number,
  height: number,
  pixel: (x: number, y: number) => readonly [number, number, number],
  isDeep = false,
): Buffer => {
  const bytes = isDeep ? 2 : 1
  const rows = Buffer.alloc(height * (3 * bytes * width + 1))
  let at = 0
  for (let y = 0; y < height; y++) {
    at += 1
    for (let x = 0; x < width; x++)
      for (const each of pixel(x, y)) at = isDeep ? rows.writeUInt16BE(each, at) : rows.writeUInt8(each, at)
  }
  const head = header(width, height, 8 * bytes)
  const coloured = Buffer.from(head.subarray(8, 21))
  coloured[9] = RGB
  const pixels = pngChunk('IDAT', deflateSync(rows, { level: 1 }))
  return Buffer.concat([SIGNATURE, pngChunk('IHDR', coloured), pixels, pngChunk('IEND')])
}

const RGB = 2
