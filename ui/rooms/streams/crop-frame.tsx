// The part of the picture that is being chosen, drawn over it and dragged there.
import { type PointerEvent, useRef } from 'react'
import { type CropChoice, fitPart, type Part } from './use-crop.ts'

const percent = (share: number): string => `${share * 100}%`

/** Over the picture, which fills the same box. */
export const CropFrame = ({ crop: { draft, seen, picture } }: { readonly crop: CropChoice }) => {
  const start = useRef<{ readonly x: number; readonly y: number }>(undefined)
  const pixelOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return {
      x: seen.x_px + ((clientX - left) / width) * seen.width_px,
      y: seen.y_px + ((clientY - top) / height) * seen.height_px,
    }
  }
  const partTo = (from: { readonly x: number; readonly y: number }, to: typeof from): Part => ({
    x_px: Math.min(from.x, to.x),
    y_px: Math.min(from.y, to.y),
    width_px: Math.abs(to.x - from.x),
    height_px: Math.abs(to.y - from.y),
  })
  const { x_px, y_px, width_px, height_px } = draft.value
  return (
    <div
      className="streams-crop"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = pixelOf(event)
      }}
      onPointerMove={(event) => {
        if (start.current) draft.change(fitPart(partTo(start.current, pixelOf(event)), picture))
      }}
      onPointerUp={() => {
        start.current = undefined
      }}
    >
      <div
        className="streams-crop-part"
        style={{
          left: percent((x_px - seen.x_px) / seen.width_px),
          top: percent((y_px - seen.y_px) / seen.height_px),
          width: percent(width_px / seen.width_px),
          height: percent(height_px / seen.height_px),
        }}
      />
    </div>
  )
}
