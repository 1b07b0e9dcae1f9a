// Which side of a picture is up, as its camera noted it in the file (EXIF in a JPEG). Whoever shows the picture turns it by that.
import type { Edit } from '../../../machines/media/edits.ts'
import type { Bytes } from './bytes.ts'

const APP1 = 0xe1
const SOS = 0xda
const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112
const MOST_SEGMENTS = 50 // cameras write a handful before the picture begins
const MOST_ENTRIES = 200
const ENTRY_BYTES = 12

const turned = (degrees: 90 | 180 | 270): Edit => ({ op: 'rotate', degrees })
const mirrored: Edit = { op: 'flip', axis: 'horizontal' }

/** By the number of the note (CIPA DC-008, 4.6.4): what sets the picture upright. */
const UPRIGHT: Readonly<Record<number, readonly Edit[]>> = {
  2: [mirrored],
  3: [turned(180)],
  4: [{ op: 'flip', axis: 'vertical' }],
  5: [turned(90), mirrored],
  6: [turned(90)],
  7: [turned(270), mirrored],
  8: [turned(270)],
}

/** The edits that set a picture upright; none for one that is, or that has no note that can be read. */
export const uprightEdits = async (bytes: Bytes): Promise<readonly Edit[]> => {
  const exif = await exifOf(bytes)
  return (exif && UPRIGHT[orientationIn(exif)]) ?? []
}

/** The content of the segment, from the header of its table on. */
const exifOf = async (bytes: Bytes): Promise<Buffer | undefined> => {
  let at = 2
  for (let segments = 0; segments < MOST_SEGMENTS; segments += 1) {
    const head = await bytes.at(at, 4)
    if (head.length < 4 || head[0] !== 0xff || head[1] === SOS) return undefined
    const length = head.readUInt16BE(2)
    if (head[1] === APP1) {
      const content = await bytes.at(at + 4, Math.max(0, length - 2))
      if (content.toString('latin1', 0, EXIF.length) === EXIF) return content.subarray(EXIF.length)
    }
    at += 2 + length
  }
  return undefined
}

/** The number in the first table; 1, which means upright, where there is none. What lies beyond the end reads as 0. */
const orientationIn = (tiff: Buffer): number => {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const table = u32(4)
  const entries = Math.min(u16(table), MOST_ENTRIES)
  for (let n = 0; n < entries; n += 1) {
    const entry = table + 2 + n * ENTRY_BYTES
    if (u16(entry) === ORIENTATION) return u16(entry + 8)
  }
  return 1
}
