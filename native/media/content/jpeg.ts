// JPEG: from marker to marker up to the end of the picture (ITU T.81, annex B). Nothing is decoded.
import { type Bytes, exactly, MAX_READ_BYTES, NotMedia, type Size, sizeOf } from './bytes.ts'

const EOI = 0xd9
const SOS = 0xda
const DECODABLE = [0xc0, 0xc1, 0xc2] // baseline, extended, progressive: what libjpeg-turbo decodes
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]
const MAX_SEGMENTS = 5_000
const MAX_SCANS = 100 // a progressive picture has about ten; each costs its decoder a pass over all pixels

/**
 * Its size. Throws NotMedia when it is none that can be shown, or has no end. What stands behind its end does not
 * matter.
 */
export const walkJpeg = async (bytes: Bytes): Promise<Size> => {
  let size: Size | undefined
  let scans = 0
  let at = 2
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    const marker = await exactly(bytes, at, 2)
    const code = marker[1] as number
    if (marker[0] !== 0xff) throw new NotMedia(`it is broken at byte ${at}: no marker stands there`)
    if (code === 0xff) {
      at += 1 // padding before a marker
      continue
    }
    if (code === EOI) {
      if (!size || scans === 0) throw new NotMedia('it ends before its picture begins')
      return size
    }
    if (code === 0 || (code >= 0xd0 && code <= 0xd8)) throw new NotMedia(`it is broken at byte ${at}`)
    const length = (await exactly(bytes, at + 2, 2)).readUInt16BE()
    if (length < 2) throw new NotMedia(`it is broken at byte ${at + 2}`)
    if (DECODABLE.includes(code)) size = await frameSize(bytes, at + 4, size)
    if (OTHER_FRAMES.includes(code)) throw new NotMedia('it is a lossless or arithmetic JPEG, which cannot be shown')
    at += 2 + length
    if (code !== SOS) continue
    scans += 1
    if (!size || scans > MAX_SCANS)
      throw new NotMedia(size ? `it has more than ${MAX_SCANS} scans` : 'its header is missing')
    at = await endOfScan(bytes, at)
  }
  throw new NotMedia(`it has more than ${MAX_SEGMENTS} segments`)
}

const frameSize = async (bytes: Bytes, at: number, known: Size | undefined): Promise<Size> => {
  if (known) throw new NotMedia('it has two headers')
  const frame = await exactly(bytes, at, 6)
  const [precision, components] = [frame[0], frame[5]]
  if (precision !== 8) throw new NotMedia(`it has ${precision} bits; pictures of 8 bits can be shown`)
  if (components !== 1 && components !== 3) throw new NotMedia(`it has ${components} colours; 1 and 3 can be shown`)
  return sizeOf(frame.readUInt16BE(3), frame.readUInt16BE(1))
}

/** Where the next marker is, other than those that stand inside a scan. */
const endOfScan = async (bytes: Bytes, begin: number): Promise<number> => {
  for (let at = begin; ; ) {
    const piece = await bytes.at(at, MAX_READ_BYTES)
    for (
      let found = piece.indexOf(0xff);
      found >= 0 && found + 1 < piece.length;
      found = piece.indexOf(0xff, found + 1)
    ) {
      const code = piece[found + 1] as number
      if (code !== 0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd7)) return at + found
    }
    if (piece.length < 2)
      throw new NotMedia(`it ends after ${bytes.size} bytes, in the middle of the picture; send it again`)
    at += piece.length - 1 // the last byte may be the first of a marker
  }
}
