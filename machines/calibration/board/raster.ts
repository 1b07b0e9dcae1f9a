// A board as rows of black and white pixels. A module is a whole number of pixels wide, so that no edge is rounded; the
// number of pixels per millimetre follows from that.
import { type BoardDrawing, type Box, type Caption, LETTER_MM } from './drawing.ts'
import { dotsOf, LETTER_HEIGHT } from './letters.ts'

const WANTED_PER_MM = 300 / 25.4
const WHITE = 0xff

/** Pixels of one bit each; of a byte each, where they have colours. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  readonly pixelsPerMm: number
  /**
   * From the top: each row as bytes of eight pixels, the leftmost the highest bit; 1 is white. With colours: a byte is
   * a pixel, the number of its colour.
   */
  readonly rows: readonly Uint8Array[]
  /** Red, green and blue of each, 0 to 255. */
  readonly palette?: readonly (readonly number[])[]
}

/** The sheet at about 300 pixels an inch. */
export const rasterBoard = (drawing: BoardDrawing): Bitmap => {
  const perUnit = Math.max(1, Math.round(drawing.unit * WANTED_PER_MM))
  const pixelsPerMm = perUnit / drawing.unit
  const toPixels = (mm: number) => Math.round(mm * pixelsPerMm)
  const [left, top] = [toPixels(drawing.left), toPixels(drawing.top)]
  const board = drawing.board.map((box) => ({
    left: left + box.left * perUnit,
    top: top + box.top * perUnit,
    width: box.width * perUnit,
    height: box.height * perUnit,
  }))
  const rulers = drawing.rulers.map((box) => betweenPixels(box, toPixels))
  const letters = letterBoxes(drawing.captions, pixelsPerMm)
  const size = { width: toPixels(drawing.width), height: toPixels(drawing.height) }
  return { ...size, pixelsPerMm, rows: rowsOf(size, [...board, ...rulers, ...letters]) }
}

/** The dots of the letters, in pixels. */
export const letterBoxes = (captions: readonly Caption[], pixelsPerMm: number): readonly Box[] => {
  const dot = Math.max(1, Math.round((LETTER_MM / LETTER_HEIGHT) * pixelsPerMm))
  return captions.flatMap(({ text, left, baseline }) =>
    dotsOf(text).map(({ column, row, length }) => ({
      left: Math.round(left * pixelsPerMm) + column * dot,
      top: Math.round(baseline * pixelsPerMm) - (LETTER_HEIGHT - row) * dot,
      width: length * dot,
      height: dot,
    })),
  )
}

/** Its ends, rounded: a length is as near as a pixel allows. */
export const betweenPixels = ({ left, top, width, height }: Box, toPixels: (mm: number) => number): Box => ({
  left: toPixels(left),
  top: toPixels(top),
  width: Math.max(1, toPixels(left + width) - toPixels(left)),
  height: Math.max(1, toPixels(top + height) - toPixels(top)),
})

/** Rows that are the same are one and the same array. */
const rowsOf = ({ width, height }: { width: number; height: number }, boxes: readonly Box[]): Uint8Array[] => {
  const edges = new Set([0, height, ...boxes.flatMap(({ top, height: tall }) => [top, top + tall])])
  const sorted = [...edges].filter((edge) => edge >= 0 && edge <= height).sort((one, other) => one - other)
  return sorted.slice(0, -1).flatMap((from, at) => {
    const row = new Uint8Array(Math.ceil(width / 8)).fill(WHITE)
    for (const box of boxes) {
      if (box.top <= from && box.top + box.height > from) blacken(row, box.left, Math.min(width, box.left + box.width))
    }
    return new Array<Uint8Array>((sorted[at + 1] as number) - from).fill(row)
  })
}

const blacken = (row: Uint8Array, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) row[at >> 3] = (row[at >> 3] as number) & ~(0x80 >> (at & 7))
}
