// Which side of a picture is up, as its camera or a program noted it beside the pixels (EXIF in a JPEG or a PNG), or as
// the container of a video says. Numbered 1 to 8 as EXIF does; 1 is upright. The engine reads the same notes in
// native/addon/capture/orientation.cc.
import type { Edit } from '../../../machines/media/edits.ts'
import type { Bytes, Size } from './bytes.ts'

const APP1 = 0xe1
const SOS = 0xda
const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112
const MAX_SEGMENTS = 50 // cameras write a handful before the picture begins
const MAX_ENTRIES = 200
const ENTRY_BYTES = 12

/** What needs no turning. */
export const UPRIGHT = 1
const MAX_ORIENTATION = 8

const turned = (degrees: 90 | 180 | 270): Edit => ({ op: 'rotate', degrees })
const mirrored: Edit = { op: 'flip', axis: 'horizontal' }

/** By the number of the note (CIPA DC-008, 4.6.4): what sets the picture upright. */
const EDITS: Readonly<Record<number, readonly Edit[]>> = {
  2: [mirrored],
  3: [turned(180)],
  4: [{ op: 'flip', axis: 'vertical' }],
  5: [turned(90), mirrored],
  6: [turned(90)],
  7: [turned(270), mirrored],
  8: [turned(270)],
}

/** The edits that set a picture upright; none for one that is. */
export const uprightEdits = (orientation: number): readonly Edit[] => EDITS[orientation] ?? []

/** The size of what is seen of a stored picture; and the other way round. */
export const sizeSeen = ({ width_px, height_px }: Size, orientation: number): Size =>
  orientation >= 5 ? { width_px: height_px, height_px: width_px } : { width_px, height_px }

/** What a JPEG says of itself; UPRIGHT where it has no note that can be read. */
export const orientationOfJpeg = async (bytes: Bytes): Promise<number> => {
  let at = 2
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    const head = await bytes.at(at, 4)
    if (head.length < 4 || head[0] !== 0xff || head[1] === SOS) return UPRIGHT
    if (head[1] === 0xff) {
      at += 1 // padding before a marker
      continue
    }
    const length = head.readUInt16BE(2)
    const content = head[1] === APP1 ? await bytes.at(at + 4, Math.max(0, length - 2)) : undefined
    const isExif = content?.toString('latin1', 0, EXIF.length) === EXIF
    const place = isExif ? placesIn(content.subarray(EXIF.length))[0] : undefined
    if (place) return possible(place.value)
    at += 2 + length
  }
  return UPRIGHT
}

/** What a chunk eXIf of a PNG says. Browsers heed it where it stands before the pixels. */
export const orientationOfExif = (tiff: Buffer): number => possible(placesIn(tiff)[0]?.value ?? UPRIGHT)

/**
 * What the matrix of a video comes to; UPRIGHT for one that is neither turned by quarters nor mirrored. a to d: of
 * which x' = ax + cy and y' = bx + dy, y down (ISO/IEC 14496-12, 8.3.2).
 */
export const orientationOfMatrix = ({ a, b, c, d }: Matrix): number => {
  const isStraight = Math.min(Math.abs(a), Math.abs(d)) > ROUNDING * Math.max(Math.abs(b), Math.abs(c))
  const isAcross = Math.min(Math.abs(b), Math.abs(c)) > ROUNDING * Math.max(Math.abs(a), Math.abs(d))
  if (isStraight) return a > 0 ? (d > 0 ? 1 : 4) : d > 0 ? 2 : 3
  if (isAcross) return b > 0 ? (c > 0 ? 5 : 6) : c > 0 ? 8 : 7
  return UPRIGHT
}

const ROUNDING = 100 // programs write sines and cosines: what is a hundredth of the rest is nothing

/** What turns and mirrors of such a matrix. */
export interface Matrix {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

/**
 * A JPEG, or as much of it as is here from its beginning on, that says this of itself, whatever it said before: it is
 * one of a video, of which the container says which side is up.
 */
export const withOrientation = (jpeg: Buffer, orientation: number): Buffer => {
  const noted = Buffer.from(jpeg)
  const places = exifsIn(noted).flatMap((tiff) => placesIn(tiff).map((place) => ({ ...place, tiff })))
  for (const { tiff, at, isLittle } of places) {
    if (at + 2 > tiff.length) continue
    if (isLittle) tiff.writeUInt16LE(orientation, at)
    else tiff.writeUInt16BE(orientation, at)
  }
  if (orientation === UPRIGHT || places.length > 0) return noted
  return Buffer.concat([noted.subarray(0, 2), noteOf(orientation), noted.subarray(2)])
}

/** A segment of EXIF with nothing but that in it. */
const noteOf = (orientation: number): Buffer => {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8] // MM, and its table behind this
  const table = [0, 1, ORIENTATION >> 8, ORIENTATION & 255, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const content = Buffer.concat([Buffer.from(EXIF, 'latin1'), Buffer.from([...header, ...table])])
  return Buffer.concat([Buffer.from([0xff, APP1, 0, content.length + 2]), content])
}

/** The tables of all segments of EXIF before the first scan. */
const exifsIn = (jpeg: Buffer): readonly Buffer[] => {
  const found: Buffer[] = []
  let at = 2
  for (let segments = 0; segments < MAX_SEGMENTS && at + 4 <= jpeg.length; segments += 1) {
    if (jpeg[at] !== 0xff || jpeg[at + 1] === SOS) break
    const length = jpeg.readUInt16BE(at + 2)
    const content = jpeg.subarray(at + 4, at + 2 + length)
    const isExif = jpeg[at + 1] === APP1 && content.toString('latin1', 0, EXIF.length) === EXIF
    if (isExif) found.push(content.subarray(EXIF.length))
    at += jpeg[at + 1] === 0xff ? 1 : 2 + length
  }
  return found
}

const possible = (noted: number): number => (noted >= UPRIGHT && noted <= MAX_ORIENTATION ? noted : UPRIGHT)

interface Place {
  readonly at: number
  readonly value: number
  readonly isLittle: boolean
}

/** Where the first table of EXIF has the number, and which. What lies beyond the end reads as 0. */
const placesIn = (tiff: Buffer): readonly Place[] => {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const table = u32(4)
  const entries = Math.min(u16(table), MAX_ENTRIES)
  const places: Place[] = []
  for (let n = 0; n < entries; n += 1) {
    const entry = table + 2 + n * ENTRY_BYTES
    if (u16(entry) === ORIENTATION) places.push({ at: entry + 8, value: u16(entry + 8), isLittle })
  }
  return places
}
