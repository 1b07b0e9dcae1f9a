// MP4 and QuickTime: boxes in boxes (ISO/IEC 14496-12). Only those are looked into that say what the video is.
import type { MediaType } from '../../../machines/media/media-type.ts'
import { MAX_BOXES } from '../../../machines/recording/fragments.ts'
import { type Bytes, CutShort, exactly, NotMedia, type Size, sizeOf } from './bytes.ts'
import { type Matrix, orientationOfMatrix } from './upright.ts'

/** Cameras and programs write it last, so that what was cut off most often has none. */
const NO_INDEX = `its index is missing (moov), without which no picture in it can be found: it was not recorded to its \
end, or only a part of it was copied; copy it again, or record it anew`

const MAX_INNER_BOXES = 100 // of one box: an index names a handful of tracks, and each has about ten parts

/** What is known of a video. */
export interface VideoFacts {
  /** Which side is up, as EXIF numbers it. */
  readonly orientation: number
  readonly width_px: number
  readonly height_px: number
  /** Null in one that was written in fragments. */
  readonly duration_ms: number | null
}

/** A box. */
export interface Box {
  readonly type: string
  readonly at: number
  /** Where its content begins. */
  readonly from: number
  /** Where the next one begins. */
  readonly end: number
}

/** The type that its brand says. */
export const typeOfBrand = (head: Buffer): MediaType =>
  head.toString('latin1', 8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'

/** The boxes of a range, one after the other. Throws NotMedia for one that reaches beyond the range. */
export async function* boxesIn(bytes: Bytes, from: number, end: number, most: number): AsyncGenerator<Box> {
  let at = from
  for (let count = 0; at < end; count += 1) {
    if (count >= most) throw new NotMedia(`it has more than ${most} boxes`)
    const head = await exactly(bytes, at, 8)
    const type = head.toString('latin1', 4, 8)
    const short = head.readUInt32BE(0)
    const isLong = short === 1
    const length = isLong ? Number((await exactly(bytes, at + 8, 8)).readBigUInt64BE()) : short || end - at
    const headLength = isLong ? 16 : 8
    if (length < headLength) throw new NotMedia(`it is broken at byte ${at}`)
    if (at + length > end) throw new CutShort(`it ends after ${bytes.size} bytes, in the middle; send it again`, type)
    yield { type, at, from: at + headLength, end: at + length }
    at += length
  }
}

/** What the video is. Throws NotMedia when there is none in it, or it is not whole. */
export const walkBoxes = async (bytes: Bytes): Promise<VideoFacts> => {
  let facts: VideoFacts | undefined
  let isFilled = false
  try {
    for await (const box of boxesIn(bytes, 0, bytes.size, MAX_BOXES)) {
      if (box.type === 'moov' && !facts) facts = await movie(bytes, box)
      isFilled ||= box.type === 'mdat'
    }
  } catch (error) {
    const hasNoIndex = error instanceof CutShort && !facts && error.within !== 'moov'
    throw hasNoIndex ? new NotMedia(NO_INDEX) : error
  }
  if (!isFilled) throw new NotMedia('there are no pictures in it')
  if (!facts) throw new NotMedia(NO_INDEX)
  return facts
}

const movie = async (bytes: Bytes, moov: Box): Promise<VideoFacts> => {
  let duration_ms: number | null = null
  let track: { readonly size: Size; readonly trak: Box } | undefined
  for await (const box of inside(bytes, moov)) {
    if (box.type === 'mvhd') duration_ms = await duration(bytes, box)
    if (box.type !== 'trak' || track) continue
    const size = await videoSize(bytes, box)
    if (size) track = { size, trak: box }
  }
  if (!track) throw new NotMedia('there is no video in it')
  return { ...track.size, orientation: await orientationIn(bytes, moov, track.trak), duration_ms }
}

/** Which side of the pictures of a track is up, as EXIF numbers it. */
export const orientationIn = async (bytes: Bytes, moov: Box, trak: Box): Promise<number> => {
  const whole = await matrixOf(bytes, await child(bytes, moov, 'mvhd'), MOVIE_MATRIX)
  const track = await matrixOf(bytes, await child(bytes, trak, 'tkhd'), TRACK_MATRIX)
  return orientationOfMatrix(product(track, whole))
}

const STRAIGHT: Matrix = { a: 1, b: 0, c: 0, d: 1 }
/** Where the matrix stands in a header, by the version of that. */
const MOVIE_MATRIX = [36, 48] as const
const TRACK_MATRIX = [40, 52] as const
const MATRIX_BYTES = 36

/** What the header of a movie or a track says of how it is shown: numbers with 16 bits behind the point. */
const matrixOf = async (
  bytes: Bytes,
  header: Box | undefined,
  [first, second]: readonly [number, number],
): Promise<Matrix> => {
  if (!header) return STRAIGHT
  const isLong = (await exactly(bytes, header.from, 1))[0] === 1
  const from = header.from + (isLong ? second : first)
  if (from + MATRIX_BYTES > header.end) return STRAIGHT
  const matrix = await exactly(bytes, from, MATRIX_BYTES)
  const at = (place: number) => matrix.readInt32BE(place) / 0x1_0000
  return { a: at(0), b: at(4), c: at(12), d: at(16) }
}

/** One after the other: first that of the track. */
const product = (track: Matrix, whole: Matrix): Matrix => ({
  a: track.a * whole.a + track.b * whole.c,
  b: track.a * whole.b + track.b * whole.d,
  c: track.c * whole.a + track.d * whole.c,
  d: track.c * whole.b + track.d * whole.d,
})

const inside = (bytes: Bytes, { from, end }: Box): AsyncGenerator<Box> => boxesIn(bytes, from, end, MAX_INNER_BOXES)

/** The first box of a type within another. */
export const child = async (bytes: Bytes, parent: Box | undefined, type: string): Promise<Box | undefined> => {
  if (!parent) return undefined
  for await (const box of inside(bytes, parent)) if (box.type === type) return box
  return undefined
}

const duration = async (bytes: Bytes, { from }: Box): Promise<number | null> => {
  const head = await exactly(bytes, from, 32)
  const isLong = head[0] === 1
  const scale = head.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16)
  const ms = Math.round((length * 1000) / scale)
  return scale > 0 && length > 0 && Number.isSafeInteger(ms) ? ms : null
}

/** Of the first sample entry of a track of pictures; undefined for another track. */
const videoSize = async (bytes: Bytes, trak: Box) => {
  const mdia = await child(bytes, trak, 'mdia')
  const handler = await child(bytes, mdia, 'hdlr')
  if (!handler || (await exactly(bytes, handler.from, 12)).toString('latin1', 8) !== 'vide') return undefined
  const samples = await child(bytes, await child(bytes, mdia, 'minf'), 'stbl')
  const stsd = await child(bytes, samples, 'stsd')
  if (!stsd) throw new NotMedia('its index does not say what its video is')
  const ENTRY = 8 // behind version, flags and count; then size, type, 6 + 2 bytes, 16 bytes, width and height
  const entry = await exactly(bytes, stsd.from + ENTRY, 36)
  return sizeOf(entry.readUInt16BE(32), entry.readUInt16BE(34))
}
