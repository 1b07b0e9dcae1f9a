// How many bytes a picture has at a size that was not made yet, from the sizes that were.

import { decaySlowly } from './slow-decay.ts'

/** Smaller ones show a driver nothing. */
const MIN_WIDTH_PX = 320

const FALL = 0.2 // with each look, once a second: scenes change in seconds

const STEPS_TO_HALF = 4 // each has about a quarter fewer bytes than the one before

/** The widths to which a picture may be made smaller, the largest first; none for one that is small already. */
export const smallerWidths = (width_px: number): readonly number[] => {
  const widths: number[] = []
  for (let step = 1; ; step += 1) {
    const width = 2 * Math.round(width_px / 2 ** (1 + step / STEPS_TO_HALF))
    if (width < MIN_WIDTH_PX) return widths
    widths.push(width)
  }
}

/** What is known of one kind of picture. */
export interface KnownSize {
  /** As it was asked for. */
  readonly asked_bytes?: number
  /** At the width at which it was seen last. */
  readonly shrunk?: { readonly width_px: number; readonly bytes: number }
  /** Of the former to what the latter lets expect: a camera's own JPEG has colours and another quality. */
  readonly ratio?: number
}

/** A picture that was seen. width_px: to which it was made smaller; null: as it was asked for. */
export interface SeenPicture {
  readonly width_px: number | null
  readonly bytes: number
}

/** Of a JPEG the bytes grow more slowly than its pixels, as a smaller picture has more to tell in each. */
const GROWTH = 1.6

const grown = (bytes: number, from_px: number, to_px: number): number => bytes * (to_px / from_px) ** GROWTH

/** What is known when another picture was seen. asked_width_px: of the picture as it was asked for. */
export const withSeen = (known: KnownSize, { width_px, bytes }: SeenPicture, asked_width_px: number): KnownSize => {
  if (width_px === null) return { asked_bytes: decaySlowly(known.asked_bytes, bytes, FALL) }
  const before = known.shrunk && grown(known.shrunk.bytes, known.shrunk.width_px, width_px)
  const shrunk = { width_px, bytes: decaySlowly(before, bytes, FALL) }
  const expected = grown(shrunk.bytes, width_px, asked_width_px)
  const ratio = known.ratio ?? (known.asked_bytes === undefined ? 1 : known.asked_bytes / expected)
  return { shrunk, ratio, asked_bytes: ratio * expected }
}

const DEFAULT_BYTES_PER_PIXEL = 0.1 // of cameras 0.05 to 0.3; known better when the first picture was seen

/** The bytes of a picture as it was asked for, and at each smaller width. */
export const sizesOf = (
  known: KnownSize,
  { width_px, height_px }: { readonly width_px: number; readonly height_px: number },
): readonly [number, ...number[]] => {
  const asked = known.asked_bytes ?? DEFAULT_BYTES_PER_PIXEL * width_px * height_px
  const from = known.shrunk ?? { width_px, bytes: asked }
  const smaller = smallerWidths(width_px).map((width) => Math.min(asked, grown(from.bytes, from.width_px, width)))
  return [asked, ...smaller]
}
