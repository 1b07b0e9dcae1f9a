// The time line of a track: what it shows from its beginning to its end, and a handle for each keyframe. A handle is
// dragged, or moved by the arrow keys; a press beside them makes one more.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { Picture } from '../../../machines/lighting/frame.ts'
import { CanvasDrawing } from '../../pictures/canvas-drawing.tsx'
import type { Keyframe, Track } from './animation-draft.ts'
import { percentOf } from './lighting-words.ts'
import { drawTimeLine } from './time-line-drawing.ts'

const SMALL_STEP = 0.01
const LARGE_STEP = 0.1

interface TimeLineProps {
  readonly name: string
  readonly duration_ms: number
  readonly loop: Picture['loop']
  readonly track: Track
  /** The index of the keyframe that is edited. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  readonly onMove: (index: number, at: number) => void
  readonly onAdd: (at: number) => void
  readonly onRemove: (index: number) => void
}

const stepOf = ({ key, shiftKey }: KeyboardEvent): number | undefined => {
  const step = shiftKey ? LARGE_STEP : SMALL_STEP
  if (key === 'ArrowRight' || key === 'ArrowUp') return step
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -step
  if (key === 'Home') return -1
  return key === 'End' ? 1 : undefined
}

/** What a handle says to who does not see it. */
const wordsOf = ({ at, colour, level }: Keyframe, duration_ms: number): string =>
  `${Math.round(at * duration_ms)} ms, ${colour}, ${percentOf(level)}`

/** The line. */
export const TimeLine = (props: TimeLineProps) => {
  const { name, duration_ms, loop, track, chosen, onChoose, onMove, onAdd, onRemove } = props
  const lane = useRef<HTMLDivElement>(null)
  const isDragged = useRef(false)
  const wasDragged = useRef(false) // until the click that comes after it
  useEffect(() => {
    // a keyframe that goes past another one is at another place in the order: the focus goes with it
    const handles = [...(lane.current?.querySelectorAll<HTMLElement>('.lighting-handle') ?? [])]
    if (handles.some((each) => each === document.activeElement)) handles[chosen]?.focus()
  }, [chosen])
  const placeOf = ({ clientX }: { readonly clientX: number }): number => {
    const { left = 0, width = 1 } = lane.current?.getBoundingClientRect() ?? {}
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  const drag = (event: PointerEvent) => {
    // the order may be another one by now: the one that is dragged is the chosen one
    if (isDragged.current) onMove(chosen, placeOf(event))
  }
  const picture: Picture = { duration_ms, loop, tracks: [{ ...track, group: null, from: 0, count: null }] }
  return (
    <div className="lighting-time-line">
      <CanvasDrawing
        label={`${name} from its beginning to its end`}
        className="lighting-time-picture"
        isMoving={false}
        draw={(drawing) => drawTimeLine(drawing, picture, '')}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the keyboard there is a button below */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        className="lighting-lane"
        ref={lane}
        onClick={(event) => {
          if (event.target === lane.current && !wasDragged.current) onAdd(placeOf(event))
          wasDragged.current = false
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          isDragged.current = false
        }}
      >
        {track.keyframes.map((keyframe, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a keyframe is its place in the order
            key={index}
            type="button"
            className="lighting-handle"
            role="slider"
            aria-label={`Keyframe ${index + 1} of ${name}`}
            aria-orientation="horizontal"
            aria-valuemin={0}
            aria-valuemax={duration_ms}
            aria-valuenow={Math.round(keyframe.at * duration_ms)}
            aria-valuetext={wordsOf(keyframe, duration_ms)}
            data-chosen={index === chosen || undefined}
            style={{ left: `${keyframe.at * 100}%`, background: keyframe.colour }}
            onFocus={() => !isDragged.current && onChoose(index)}
            onPointerDown={(event) => {
              onChoose(index)
              isDragged.current = true
              wasDragged.current = true
              lane.current?.setPointerCapture(event.pointerId)
            }}
            onKeyDown={(event) => {
              const step = stepOf(event)
              if (step !== undefined) {
                event.preventDefault()
                onMove(index, keyframe.at + step)
              } else if (event.key === 'Delete' || event.key === 'Backspace') {
                event.preventDefault()
                onRemove(index)
              }
            }}
          />
        ))}
      </div>
      <div className="lighting-ends hint" aria-hidden>
        <span>0</span>
        <span>{duration_ms} ms</span>
      </div>
    </div>
  )
}
