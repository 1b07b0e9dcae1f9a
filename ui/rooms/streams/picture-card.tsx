// The live picture of a stream, with what can be drawn over it.
import { CropIcon, Maximize } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button, Card } from '../../parts/parts.tsx'
import { type AnyStream, isRemote, useFigures } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { CropFields } from './crop-fields.tsx'
import { CropFrame } from './crop-frame.tsx'
import { describeSize } from './describe.ts'
import { useOverlay } from './overlay-switches.tsx'
import { type Shown, useShown } from './shown-frame.ts'
import { StreamPicture } from './stream-picture.tsx'
import type { StreamTarget } from './target.ts'
import { useCrop } from './use-crop.ts'

/** The rate at which the stream gives pictures; of another device's, at which they are drawn here. */
const Rate = ({ stream, shown }: { readonly stream: AnyStream; readonly shown: Shown }) => {
  const facts = useShown(shown)
  const figures = useFigures(stream.id)
  const { width_px, height_px, fps } = stream.status
  const rate = isRemote(stream) ? (facts?.drawnFps ?? fps) : (figures?.fps ?? fps)
  return (
    <span>
      <span className="hint">{describeSize(width_px, height_px)}, </span>
      <strong>{figureOf(rate, 1)} fps</strong>
    </span>
  )
}

interface PictureCardProps {
  readonly stream: AnyStream
  readonly target: StreamTarget
  readonly shown: Shown
}

/** With crop, where that can be chosen. */
export const PictureCard = (props: PictureCardProps) => {
  const { stream, target } = props
  const crop = useCrop(stream, target)
  if (!crop) return <Framed {...props} />
  return (
    <Framed
      {...props}
      over={crop.isOpen && <CropFrame crop={crop} />}
      tools={
        <Button icon={<CropIcon size={16} aria-hidden />} aria-expanded={crop.isOpen} onClick={crop.toggle}>
          Crop
        </Button>
      }
      below={crop.isOpen && <CropFields crop={crop} />}
    />
  )
}

interface FramedProps extends PictureCardProps {
  readonly over?: ReactNode
  readonly tools?: ReactNode
  readonly below?: ReactNode
}

const Framed = ({ stream, shown, over, tools, below }: FramedProps) => {
  const stage = useRef<HTMLDivElement>(null)
  const { overlay, switches } = useOverlay()
  const [problem, setProblem] = useState('')
  const { width_px, height_px } = stream.status
  const showLarge = () => {
    stage.current?.requestFullscreen().catch(() => setProblem('This browser shows nothing as large as the screen.'))
  }
  return (
    <div className="streams-picture">
      <Card label="Live picture">
        <div
          className="streams-stage"
          ref={stage}
          style={{ aspectRatio: width_px && height_px ? `${width_px} / ${height_px}` : '16 / 10' }}
        >
          <StreamPicture stream={stream} overlay={overlay} onFrame={shown.take} />
          {over}
        </div>
        <div className="streams-under">
          {switches}
          {tools}
          <span className="grow" />
          {problem && <span className="hint">{problem}</span>}
          <Rate stream={stream} shown={shown} />
          <Button
            kind="plain"
            icon={<Maximize size={16} aria-hidden />}
            aria-label="As large as the screen"
            onClick={showLarge}
          />
        </div>
        {below}
      </Card>
    </div>
  )
}
