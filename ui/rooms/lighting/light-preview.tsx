// A picture of lights as it would shine: drawn by the same function by which the device plays it.
import { useRef } from 'react'
import { endOf, frameOf, type Picture } from '../../../machines/lighting/frame.ts'
import { CanvasDrawing } from '../../pictures/canvas-drawing.tsx'
import { drawLamps, withWhite } from './lamp-drawing.ts'

/** What a picture is shown on when nobody has said: as many as fit in a row. */
export const PREVIEW_PIXELS = 16

const ONCE_AGAIN_MS = 1_000 // after the end of what plays once, before it is shown again

interface LightPreviewProps {
  readonly label: string
  readonly picture: Picture
  /** The group it is played on: a track may be of another one. */
  readonly group?: string
  readonly pixels?: number
  /** When it began, of `performance.now()`; else as it is first drawn, and once more each time it has ended. */
  readonly startedMs?: number | undefined
  readonly size?: 'large' | undefined
  /** Which lamps have no colours. */
  readonly isWhite?: readonly boolean[]
}

/** The canvas of it. */
export const LightPreview = (props: LightPreviewProps) => {
  const { label, picture, group = '', pixels = PREVIEW_PIXELS, startedMs, size, isWhite } = props
  const first = useRef(performance.now())
  const endMs = endOf(picture)
  const atOf = (nowMs: number): number => {
    if (startedMs !== undefined) return Math.max(0, nowMs - startedMs)
    const atMs = nowMs - first.current
    return endMs === undefined || endMs === 0 ? atMs : atMs % (endMs + ONCE_AGAIN_MS)
  }
  return (
    <CanvasDrawing
      label={label}
      className={size === 'large' ? 'lighting-lamps is-large' : 'lighting-lamps'}
      isMoving={endMs !== 0}
      draw={(drawing) => {
        const frame = frameOf(picture, { group, pixels }, atOf(performance.now()))
        drawLamps(drawing, isWhite ? withWhite(frame, isWhite) : frame)
      }}
    />
  )
}
