// Where a guided capture begins, or goes on.
import { Link, useLocation } from 'wouter'
import { Alert, Button, WriteNote } from '../../parts/parts.tsx'
import { beginCapture, captures, endCapture, forgottenCaptures } from '../../state/captures.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnownOf } from '../../state/live.ts'
import type { Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { counted } from '../../words.ts'
import { useSquares } from './squares.ts'
import { captureAddress } from './words.ts'

/** What to do, and the button. */
export const Guided = ({ stream }: { readonly stream: Stream }) => {
  const { squares } = useSquares()
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const { ids } = useForgotten(forgottenCaptures)
  const goes = useKnownOf(captures, ({ value }) =>
    value?.find(({ id, spec }) => spec.stream_id === stream.id && !ids.includes(id)),
  )
  const begin = async () => {
    const answer = await write(async () => {
      const ended = goes ? await endCapture(goes.id) : undefined
      if (ended && !ended.ok) return ended
      return beginCapture({ stream_id: stream.id, ...squares })
    })
    if (answer.ok) go(captureAddress(answer.value.id))
  }
  const isLive = stream.status.state === 'live'
  return (
    <div className="stack">
      <p>
        Hold the board in front of the camera. The picture shows where to hold it next, and takes it by itself when it
        is there, sharp and still. Ten to fifteen pictures, about two minutes.
      </p>
      <ul className="calibration-steps">
        <li>Fix focus, zoom and exposure first, and do not change them any more.</li>
        <li>Choose the mode in which the stream will run: a calibration is of one size of the picture.</li>
        <li>Put this page where you see it while you hold the board.</li>
      </ul>
      {goes && (
        <Alert
          tone="busy"
          action={
            <Link className="button" href={captureAddress(goes.id)}>
              Go on
            </Link>
          }
        >
          A capture of this camera is under way, with {counted(goes.status.pictures_count, 'picture')}.
        </Alert>
      )}
      <div className="row">
        <Button
          {...(!goes && { kind: 'main' as const })}
          disabled={!isLive || state.state === 'pending'}
          onClick={() => void begin()}
        >
          {goes ? 'Begin from the start' : 'Begin'}
        </Button>
        {!isLive && <span className="hint">The stream gives no pictures now.</span>}
      </div>
      {state.state === 'refused' && <WriteNote state={state} />}
    </div>
  )
}
