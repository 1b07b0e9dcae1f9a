// Draws marks on a picture, each twice: dark and 2 px wider below, since pictures have no theme.
import type { Documents } from '../api/documents.ts'
import type { Placing } from './placing.ts'

/** What of a canvas is needed: one of a page or of a worker. */
export type Surface = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** A place in the picture. */
export type Pixel = Documents['Pixel']

/** Where marks are drawn. */
export interface OverlayParts {
  readonly surface: Surface
  /** Of the picture in the canvas; its pixels are those that the rows are of. */
  readonly placing: Placing
  /** Pixels of the canvas for one of the page. */
  readonly ratio: number
}

/** What can be drawn. Places are pixels of the picture, widths those of the page. */
export type Pen = ReturnType<typeof penOf>

const DARK = 'rgb(4 19 12 / 75%)'
const ON_MARK = '#04130c'
const TEXT_PX = 11
const LABEL_PX = 15

/** A pen for a picture. */
export const penOf = ({ surface, placing, ratio }: OverlayParts) => {
  const x = ({ x_px }: Pixel) => placing.left + x_px * placing.scale
  const y = ({ y_px }: Pixel) => placing.top + y_px * placing.scale
  surface.lineJoin = 'round'
  surface.lineCap = 'round'
  surface.textBaseline = 'middle'
  surface.font = `600 ${TEXT_PX * ratio}px system-ui, sans-serif`

  const stroke = (colour: string, widthPx = 2) => {
    surface.lineWidth = (widthPx + 2) * ratio
    surface.strokeStyle = DARK
    surface.stroke()
    surface.lineWidth = widthPx * ratio
    surface.strokeStyle = colour
    surface.stroke()
  }
  const trace = (points: readonly Pixel[]) => {
    surface.beginPath()
    for (const [at, point] of points.entries())
      if (at === 0) surface.moveTo(x(point), y(point))
      else surface.lineTo(x(point), y(point))
  }

  return {
    /** Pixels of the picture that are as long as so many of the page. */
    ofPage: (px: number) => (px * ratio) / placing.scale,
    line: (from: Pixel, to: Pixel, colour: string, widthPx?: number) => {
      trace([from, to])
      stroke(colour, widthPx)
    },
    outline: (points: readonly Pixel[], colour: string, widthPx?: number) => {
      trace(points)
      surface.closePath()
      stroke(colour, widthPx)
    },
    dashedOutline: (points: readonly Pixel[], colour: string) => {
      surface.setLineDash([5 * ratio, 5 * ratio])
      trace(points)
      surface.closePath()
      stroke(colour)
      surface.setLineDash([])
    },
    circle: (center: Pixel, radiusPx: number, colour: string) => {
      surface.beginPath()
      surface.arc(x(center), y(center), Math.max(1, radiusPx * placing.scale), 0, 2 * Math.PI)
      stroke(colour)
    },
    /** A text on a ground of that colour, above a place and within the picture. */
    label: (text: string, at: Pixel, colour: string) => {
      const [width, height] = [surface.measureText(text).width + 8 * ratio, LABEL_PX * ratio]
      const within = (value: number, from: number, length: number) =>
        Math.max(from + ratio, Math.min(value, from + length - ratio))
      const left = within(x(at), placing.left, placing.width - width)
      const top = within(y(at) - height - 4 * ratio, placing.top, placing.height - height)
      surface.fillStyle = DARK
      surface.fillRect(left - ratio, top - ratio, width + 2 * ratio, height + 2 * ratio)
      surface.fillStyle = colour
      surface.fillRect(left, top, width, height)
      surface.fillStyle = ON_MARK
      surface.fillText(text, left + 4 * ratio, top + height / 2 + ratio / 2)
    },
  }
}
