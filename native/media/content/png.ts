// PNG: from chunk to chunk, with their check sums (ISO/IEC 15948). Nothing is decompressed: a picture cannot become
// larger than its header says.
import { crc32 } from 'node:zlib'
import { type Bytes, exactly, MAX_READ_BYTES, NotMedia, type Size, sizeOf } from './bytes.ts'
import { orientationOfExif, UPRIGHT } from './upright.ts'

const FIRST = 8 // behind the signature
const MAX_CHUNK_LENGTH = 0x7fff_ffff
const MAX_CHUNKS = 100_000 // encoders write 8 KiB at a time
/** Bits for each kind of colour. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Its size, and which side is up. Throws NotMedia when it is none, is broken, or has no end. */
export const walkPng = async (bytes: Bytes): Promise<Size & { readonly orientation: number }> => {
  let size: Size | undefined
  let orientation = UPRIGHT
  let isFilled = false
  let at = FIRST
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const head = await exactly(bytes, at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    if (length > MAX_CHUNK_LENGTH || !/^[A-Za-z]{4}$/.test(type)) throw new NotMedia(`it is broken at byte ${at}`)
    if (!size) size = await headerOf(bytes, at, type, length)
    await checkSum(bytes, at + 4, length + 4)
    if (type === 'eXIf' && !isFilled) orientation = orientationOfExif(await bytes.at(at + 8, length))
    if (type === 'IDAT') isFilled = true
    if (type === 'IEND') {
      if (!isFilled) throw new NotMedia('there is no picture in it')
      return { ...size, orientation }
    }
    at += length + 12
  }
  throw new NotMedia(`it has more than ${MAX_CHUNKS} chunks`)
}

const headerOf = async (bytes: Bytes, at: number, type: string, length: number): Promise<Size> => {
  if (type !== 'IHDR' || length !== 13) throw new NotMedia('its header is missing')
  const header = await exactly(bytes, at + 8, 13)
  const [depth, colour, compression, filter, interlace] = header.subarray(8)
  if (!DEPTHS[colour as number]?.includes(depth as number) || compression || filter || (interlace as number) > 1)
    throw new NotMedia('its header makes no sense')
  return sizeOf(header.readUInt32BE(0), header.readUInt32BE(4))
}

/** length: of what is summed up, behind which the sum stands. */
const checkSum = async (bytes: Bytes, at: number, length: number): Promise<void> => {
  let sum = 0
  for (let done = 0; done < length; ) {
    const piece = await exactly(bytes, at + done, Math.min(length - done, MAX_READ_BYTES))
    sum = crc32(piece, sum)
    done += piece.length
  }
  if ((await exactly(bytes, at + length, 4)).readUInt32BE() !== sum)
    throw new NotMedia(`it is broken: what stands at byte ${at + 4} is not what was written`)
}
