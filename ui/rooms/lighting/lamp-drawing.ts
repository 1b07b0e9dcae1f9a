// How lamps look on the page: a circle for each, as bright as it shines, on a dark ground where the dark ones show too.
import type { Drawing } from '../../drawing/drawing.ts'

const GAP_SHARE = 0.25 // of the way from one lamp to the next
const LARGEST_PX = 44
const SMALLEST_PX = 8
const ROW_PX = 12 // lamps of that size still stand in one row, as they do on a strip
const RIM = 'rgb(255 255 255 / 22%)'
const GLOW_SHARE = 0.35 // of the way from one lamp to the next

/** How many rows and columns show all of them: one row where that can be seen, else as large as can be. */
const layOut = (pixels: number, width: number, height: number) => {
  if (width / pixels >= ROW_PX) return { pitch: Math.min(LARGEST_PX, width / pixels, height), columns: pixels }
  for (let pitch = Math.min(LARGEST_PX, width, height); pitch > SMALLEST_PX; pitch -= 1) {
    const rows = Math.ceil(pixels / Math.max(1, Math.floor(width / pitch)))
    if (rows * pitch <= height) return { pitch, columns: Math.ceil(pixels / rows) }
  }
  return { pitch: SMALLEST_PX, columns: Math.min(pixels, Math.max(1, Math.floor(width / SMALLEST_PX))) }
}

/** A colour of a frame as a page writes it. */
export const cssColour = (frame: Float64Array, pixel: number): string => {
  const part = (channel: number) => Math.round(255 * Math.min(1, Math.max(0, frame[3 * pixel + channel] ?? 0)))
  return `rgb(${part(0)} ${part(1)} ${part(2)})`
}

/** As white lamps show a colour: white, as bright as the brightest of the three. isWhite: of each lamp. */
export const withWhite = (frame: Float64Array, isWhite: readonly boolean[]): Float64Array =>
  frame.map((part, at) => {
    const first = at - (at % 3)
    return isWhite[first / 3] ? Math.max(...frame.subarray(first, first + 3)) : part
  })

/** Draws the lamps of a group, row by row from the left. frame: red, green, blue of each, 0..1. */
export const drawLamps = ({ pen, width, height }: Drawing, frame: Float64Array): void => {
  const pixels = frame.length / 3
  const { pitch, columns } = layOut(pixels, width, height)
  const rows = Math.ceil(pixels / columns)
  const [left, top] = [(width - columns * pitch) / 2, (height - rows * pitch) / 2]
  const radius = (pitch * (1 - GAP_SHARE)) / 2
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const x = left + ((pixel % columns) + 0.5) * pitch
    const y = top + (Math.floor(pixel / columns) + 0.5) * pitch
    const colour = cssColour(frame, pixel)
    pen.beginPath()
    pen.arc(x, y, radius, 0, 2 * Math.PI)
    pen.shadowColor = colour
    pen.shadowBlur = colour === 'rgb(0 0 0)' ? 0 : pitch * GLOW_SHARE
    pen.fillStyle = colour
    pen.fill()
    pen.shadowBlur = 0
    pen.strokeStyle = RIM
    pen.stroke()
  }
}
