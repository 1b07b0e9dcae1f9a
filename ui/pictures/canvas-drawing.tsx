// A canvas that is drawn again and again as long as it is seen, or once where nothing of it moves.
import { useEffect, useRef } from 'react'
import type { Drawing } from '../drawing/drawing.ts'
import { watchSeen, watchSize } from './watch-element.ts'

interface CanvasDrawingProps {
  /** What it shows, for those who do not see it. */
  readonly label: string
  readonly className: string
  /** Draws it as it is at this moment; the canvas is empty before. */
  readonly draw: (drawing: Drawing) => void
  /** Whether it is another picture at another moment. */
  readonly isMoving: boolean
}

const EVERY_MS = 1000 / 32 // eyes see no more of a lamp, and a laptop in the pit runs on its battery
const CALM_EVERY_MS = 250 // for those who want to see nothing that moves: it says how it is, and does not flicker

/** How often something that moves is drawn. */
const pace = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_EVERY_MS : EVERY_MS)

/** The canvas; as wide as what it is in, as high as its class says. */
export const CanvasDrawing = ({ label, className, draw, isMoving }: CanvasDrawingProps) => {
  const ref = useRef<HTMLCanvasElement>(null)
  const latest = useRef(draw)
  latest.current = draw
  const redraw = useRef<() => void>(undefined)

  useEffect(() => {
    const canvas = ref.current
    const pen = canvas?.getContext('2d')
    if (!canvas || !pen) return undefined
    let scale = 1
    redraw.current = () => {
      pen.setTransform(scale, 0, 0, scale, 0, 0)
      const [width, height] = [canvas.width / scale, canvas.height / scale]
      pen.clearRect(0, 0, width, height)
      latest.current({ pen, width, height })
    }
    const stop = watchSize(canvas, ({ widthPx, heightPx, ratio }) => {
      scale = ratio
      canvas.width = widthPx
      canvas.height = heightPx
      redraw.current?.()
    })
    return () => {
      stop()
      redraw.current = undefined
    }
  }, [])

  useEffect(() => {
    const canvas = ref.current
    if (!canvas || !isMoving) return undefined
    let frame = 0
    let lastMs = 0
    const turn = (nowMs: number) => {
      frame = requestAnimationFrame(turn)
      if (nowMs - lastMs < pace()) return
      lastMs = nowMs
      redraw.current?.()
    }
    const stop = watchSeen(canvas, (isSeen) => {
      cancelAnimationFrame(frame)
      if (isSeen) frame = requestAnimationFrame(turn)
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [isMoving])

  useEffect(() => redraw.current?.()) // what it shows may be something else

  return <canvas ref={ref} className={className} role="img" aria-label={label} />
}
