// Predicted errors over a picture: colours that let it through, and figures.
import { useEffect, useRef } from 'react'
import { figureOf } from '../words.ts'
import { type ErrorPlaces, errorFigures, LEGEND, paintErrors, scaleEndPx } from './error-colours.ts'

const PAINTED = { widthPx: 160, heightPx: 100 } as const // the browser makes it as large as the picture

const digitsOf = (errorPx: number | null): number => {
  if (errorPx === null || errorPx < 1) return 2
  return errorPx < 10 ? 1 : 0
}

interface ErrorMapProps {
  readonly places: ErrorPlaces
  /** Of the picture. */
  readonly widthPx: number
  /** In words, for those who do not see it. */
  readonly label: string
}

/** It fills what it is in. */
export const ErrorMap = ({ places, widthPx, label }: ErrorMapProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const pixels = paintErrors(places, PAINTED, scaleEndPx(widthPx))
    canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, PAINTED.widthPx, PAINTED.heightPx), 0, 0)
  }, [places, widthPx])
  return (
    <div className="error-map" role="img" aria-label={label}>
      <canvas ref={canvas} width={PAINTED.widthPx} height={PAINTED.heightPx} />
      {errorFigures(places).map(({ x, y, errorPx }) => (
        <span key={`${x} ${y}`} style={{ left: `${100 * x}%`, top: `${100 * y}%` }}>
          {figureOf(errorPx, digitsOf(errorPx))}
        </span>
      ))}
    </div>
  )
}

/** What its colours mean. widthPx: of the picture. */
export const ErrorLegend = ({ widthPx }: { readonly widthPx: number }) => (
  <div className="error-legend">
    <span>0 px</span>
    <span className="error-legend-bar" style={{ background: LEGEND }} aria-hidden />
    <span>{scaleEndPx(widthPx)} px and more</span>
  </div>
)
