// The buttons that hold both pictures of the comparison and go through their last frames.
import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button } from '../../parts/parts.tsx'
import type { Holding } from './use-hold.ts'

/** The arrow keys go through the frames, too. */
export const HoldBar = ({ holding: { held, start, end, step } }: { readonly holding: Holding }) => {
  const takeKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1)
    if (key === 'ArrowRight') step(1)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset wants a legend, and is drawn with a frame
    <div className="row streams-hold" role="group" aria-label="Hold" onKeyDown={takeKey}>
      {held ? (
        <>
          <Button icon={<Play size={18} aria-hidden />} onClick={end}>
            Go on
          </Button>
          <Button
            icon={<StepBack size={18} aria-hidden />}
            aria-label="Earlier frame"
            title="Left arrow"
            disabled={held.at <= 0}
            onClick={() => step(-1)}
          />
          <Button
            icon={<StepForward size={18} aria-hidden />}
            aria-label="Later frame"
            title="Right arrow"
            disabled={held.at >= held.count - 1}
            onClick={() => step(1)}
          />
          <span role="status" className="hint">
            {held.count > 0 ? `frame ${held.at + 1} of the last ${held.count}` : 'no frame was kept yet'}
          </span>
        </>
      ) : (
        <Button icon={<Pause size={18} aria-hidden />} onClick={start}>
          Hold the frame
        </Button>
      )}
    </div>
  )
}
