// The live picture of a stream, as this room wants it: as large as it is, as often as it comes.
import { LivePicture } from '../../pictures/live-picture.tsx'
import type { FrameFacts, Hold, KeptFrame } from '../../pictures/messages.ts'
import type { AnyStream } from '../../state/streams.ts'
import type { OverlaySwitches } from './overlay-switches.tsx'

interface StreamPictureProps {
  readonly stream: AnyStream
  readonly overlay: OverlaySwitches
  readonly output?: string | undefined
  readonly onFrame: (facts: FrameFacts) => void
  /** As those of `LivePicture`. */
  readonly keep?: number
  readonly hold?: Hold | null
  readonly onKept?: (frames: readonly KeptFrame[]) => void
}

/** With what was found drawn over it; a picture that the pipeline makes has its own marks. */
export const StreamPicture = ({ stream, overlay, output, onFrame, ...holding }: StreamPictureProps) => (
  <LivePicture
    stream={stream}
    overlay={output === undefined ? { ...overlay, found: overlay.tags } : { crosshair: overlay.crosshair }}
    onFrame={onFrame}
    {...holding}
    {...(output !== undefined && { output })}
  />
)
