// A picture as a part of a multipart answer. An engine writes the same (native/addon/viewers/part.cc).
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import type { Clock } from '../../../native/clock/port.ts'

const BOUNDARY = 'vedette-picture'

export const PREVIEW_MEDIA_TYPE = `multipart/x-mixed-replace; boundary=${BOUNDARY}`

/** What stands before the first part. */
export const FIRST_BOUNDARY = `--${BOUNDARY}\r\n`

/** What stands behind each part: the next boundary at once, as some browsers wait for it before they show a picture. */
export const END_OF_PART = `\r\n--${BOUNDARY}\r\n`

const parts = new WeakMap<Picture, Buffer>()

/** A picture as a part with its end: made once, written to every viewer. */
export const partOf = (picture: Picture, clock: Clock): Buffer => {
  const known = parts.get(picture)
  if (known) return known
  const part = partWith(picture.jpeg, pictureHeaders(picture, clock))
  parts.set(picture, part)
  return part
}

const placeholders = new WeakMap<Uint8Array, Buffer>()

/** What stands for pictures that do not come, as a part with its end. */
export const placeholderPart = (jpeg: Uint8Array): Buffer => {
  const part = placeholders.get(jpeg) ?? partWith(jpeg, { 'X-Placeholder': '1' })
  placeholders.set(jpeg, part)
  return part
}

/** A JPEG as a part with its end. own: its headers, beside type and length. */
export const partWith = (jpeg: Uint8Array, own: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat([partHead(jpeg.length, own), jpeg, Buffer.from(END_OF_PART)])

/** What stands before a JPEG of so many bytes. own: as above. */
export const partHead = (bytes: number, own: Readonly<Record<string, string>>): Buffer => {
  const head = Object.entries({ 'Content-Type': 'image/jpeg', 'Content-Length': bytes, ...own }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${head.join('')}\r\n`)
}

/** What is said of each picture, and what that means. */
export const PICTURE_HEADERS = {
  'X-Timestamp': 'When it was taken, Unix time in seconds.',
  'X-Sequence': 'The number of its frame.',
  'X-Captured-Us': oneLine`
    When it was taken by the clock of the device that is never set (CLOCK_MONOTONIC), in microseconds: that of all
    other times of capture.
  `,
} as const

export const pictureHeaders = (picture: Picture, clock: Clock): Record<keyof typeof PICTURE_HEADERS, string> => ({
  'X-Timestamp': (clock.nowMs() / 1000 - (clock.monotonicUs() - picture.captured_us) / 1e6).toFixed(6),
  'X-Sequence': String(picture.seq),
  'X-Captured-Us': String(Math.round(picture.captured_us)),
})
