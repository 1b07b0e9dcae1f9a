// What a content is, found out from itself: neither its name nor what its sender says of it counts.
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { MediaType } from '../../../machines/media/media-type.ts'
import { typeOfBrand, walkBoxes } from './boxes.ts'
import { type Bytes, beginningOf, NotMedia, Short } from './bytes.ts'
import { walkJpeg } from './jpeg.ts'
import { walkPng } from './png.ts'
import { orientationOfJpeg, sizeSeen } from './upright.ts'

/** What a content is. */
export interface Content {
  readonly media_type: MediaType
  /** As it is seen. */
  readonly width_px: number
  /** As it is seen. */
  readonly height_px: number
  readonly duration_ms: number | null
  /** How what is stored has to be turned for that, as EXIF numbers it. */
  readonly orientation: number
}

/** So many bytes are enough to say what it is. */
export const HEAD_BYTES = 12

const JPEG = Buffer.from([0xff, 0xd8, 0xff])
/** The version of the format comes first in what programs write: field 1, and a small number. */
const ONNX = { field: 0x08, maxVersion: 32 }
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** What its first bytes say that it is; `media.invalid` for what is not stored here. */
export const typeOfHead = (head: Buffer): MediaType | Fault => {
  if (head.subarray(0, 3).equals(JPEG)) return 'image/jpeg'
  if (head.subarray(0, 8).equals(PNG)) return 'image/png'
  if (head.length >= HEAD_BYTES && head.toString('latin1', 4, 8) === 'ftyp') return typeOfBrand(head)
  if (head[0] === ONNX.field && (head[1] as number) <= ONNX.maxVersion) return 'application/onnx'
  return invalid('it is no JPEG, PNG, MP4 or QuickTime file, and no ONNX model')
}

const walks = {
  'image/jpeg': async (bytes: Bytes) => ({ ...(await walkJpeg(bytes)), orientation: await orientationOfJpeg(bytes) }),
  'image/png': walkPng,
  'video/mp4': walkBoxes,
  'video/quicktime': walkBoxes,
} as const satisfies Record<Exclude<MediaType, 'application/onnx'>, unknown>

/** Walks through all of a picture or video: `media.invalid` when it is broken, too large to be shown, or not whole. */
export const inspect = async (bytes: Bytes): Promise<Content | Fault> => {
  try {
    const media_type = typeOfHead(await bytes.at(0, HEAD_BYTES))
    if (isFault(media_type)) return media_type
    if (media_type === 'application/onnx') return invalid('it is a model')
    const { orientation, ...stored } = await walks[media_type](bytes)
    return { duration_ms: null, ...stored, ...sizeSeen(stored, orientation), orientation, media_type }
  } catch (error) {
    if (error instanceof NotMedia) return invalid(error.message)
    throw error
  }
}

/** What is wrong with a content of which only the beginning is here, as far as that can be told. */
export const inspectBeginning = async (head: Buffer): Promise<MediaType | Fault> => {
  const media_type = typeOfHead(head)
  if (isFault(media_type) || !media_type.startsWith('image/')) return media_type
  try {
    const found = await inspect(beginningOf(head))
    return isFault(found) ? found : media_type
  } catch (error) {
    if (error instanceof Short) return media_type
    throw error
  }
}

/** what: is wrong, as "it ends in the middle". */
const invalid = (what: string): Fault => ({
  code: 'media.invalid',
  detail: `this cannot be stored: ${what}`,
})
