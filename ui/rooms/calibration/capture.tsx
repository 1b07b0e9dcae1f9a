// A guided capture: the picture of the camera with where to hold the board next, in lines and in words, and how well
// the lens is known by now.
import { Link, useLocation } from 'wouter'
import { BoardOutline } from '../../drawing/board-outline.tsx'
import { BackLink } from '../../parts/back-link.tsx'
import { Alert, Button, Card, Empty, Figure, Figures, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { LivePicture } from '../../pictures/live-picture.tsx'
import { startSolve } from '../../state/calibration-solve.ts'
import { type Capture, captures, forgottenCaptures } from '../../state/captures.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown } from '../../state/live.ts'
import { type AnyStream, useStream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { counted, type Shown } from '../../words.ts'
import { Coverage } from './coverage.tsx'
import { sentence } from './verdict.tsx'
import { jobAddress, percentOf, startAddress } from './words.ts'

const STATES: Readonly<Record<Capture['status']['state'], Shown>> = {
  idle: { word: 'waiting', tone: 'quiet' },
  looking: { word: 'looking for the board', tone: 'busy' },
  proposing: { word: 'board seen', tone: 'busy' },
  accepted: { word: 'taking it', tone: 'good' },
  refused: { word: 'not taken', tone: 'bad' },
  enough: { word: 'enough', tone: 'good' },
  solving: { word: 'being computed', tone: 'busy' },
  done: { word: 'computed', tone: 'good' },
}

const MIN_PICTURES = 4 // fewer say nothing about a lens

const Stage = ({ capture, stream }: { readonly capture: Capture; readonly stream: AnyStream | undefined }) => {
  const { status } = capture
  const widthPx = status.width_px ?? stream?.status.width_px ?? 16
  const heightPx = status.height_px ?? stream?.status.height_px ?? 10
  const { word, tone } = STATES[status.state]
  return (
    <Card label="Live picture">
      <div className="calibration-stage" style={{ aspectRatio: `${widthPx} / ${heightPx}` }}>
        {stream && <LivePicture stream={stream} outputs={[]} />}
        <BoardOutline
          widthPx={widthPx}
          heightPx={heightPx}
          wanted={status.proposal}
          taken={status.pictures.map(({ hull }) => hull)}
          label={status.proposal ? `Where to hold the board: ${status.proposal.detail}` : 'No place is proposed'}
        />
      </div>
      <div className="card-body calibration-says" aria-live="polite">
        <Pill tone={tone}>{word}</Pill>
        <strong>{sentence(status.detail)}</strong>
        {status.refusal && status.proposal && <span className="hint">{sentence(status.proposal.detail)}</span>}
      </div>
    </Card>
  )
}

const Known = ({ status }: Pick<Capture, 'status'>) => {
  const { known_share, predicted_px, pictures_count, board } = status
  return (
    <Card title="How well the lens is known">
      <div className="card-body stack">
        <progress
          className="calibration-progress"
          aria-label="How well the lens is known"
          max={1}
          value={known_share}
        />
        <Figures>
          <Figure name="known" value={percentOf(known_share, 0)} size="large" />
          <Figure name="points off by" value={predicted_px} digits={2} unit="px" size="large" under="in the mean" />
          <Figure name="pictures" value={pictures_count} size="large" />
        </Figures>
        <p className="hint">
          {board
            ? `Recognised: a board of ${board.columns}×${board.rows} squares.`
            : 'The board is recognised from the first picture.'}{' '}
          At 100 % and ten pictures it is as good as it gets.
        </p>
      </div>
    </Card>
  )
}

const Next = ({ capture }: { readonly capture: Capture }) => {
  const { id, spec, status } = capture
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const { stream_id, square_width_mm, square_height_mm } = spec
  const solve = async () => {
    const answer = await write(() => startSolve({ capture_id: id, square_width_mm, square_height_mm, stream_id }))
    if (answer.ok) go(jobAddress(answer.value.job_id))
  }
  const stop = () => {
    forgottenCaptures.forget(id, `Stopped; ${counted(status.pictures_count, 'picture')} dropped`)
    go(startAddress(stream_id))
  }
  const isFew = status.pictures_count < MIN_PICTURES
  return (
    <div className="stack">
      {status.job_id !== null && (
        <Alert
          tone={status.state === 'solving' ? 'busy' : 'good'}
          action={
            <Link className="button" href={jobAddress(status.job_id)}>
              {status.state === 'solving' ? 'See how far it is' : 'See what came of it'}
            </Link>
          }
        >
          {status.state === 'solving' ? 'The lens is being computed.' : 'The lens was computed of these pictures.'}
        </Alert>
      )}
      <div className="row">
        <Button
          {...(status.state === 'enough' && { kind: 'main' as const })}
          disabled={isFew || state.state === 'pending' || status.state === 'solving'}
          onClick={() => void solve()}
        >
          Solve with {counted(status.pictures_count, 'picture')}
        </Button>
        <Button kind="danger" onClick={stop}>
          Stop and drop it
        </Button>
      </div>
      <p className="hint">
        {isFew ? `At least ${MIN_PICTURES} pictures are needed. ` : ''}
        This page may be left or loaded again: what was taken stays.
      </p>
      {state.state === 'refused' && <WriteNote state={state} />}
    </div>
  )
}

const Going = ({ capture }: { readonly capture: Capture }) => {
  const { spec, status } = capture
  const stream = useStream(spec.stream_id)
  return (
    <>
      <div className="page-head">
        <BackLink href={startAddress(spec.stream_id)} name="Back to the board" />
        <h1>Calibrate {stream?.spec.alias ?? spec.stream_id}</h1>
      </div>
      <div className="calibration-found">
        <Stage capture={capture} stream={stream} />
        <div className="stack">
          <Known status={status} />
          <Next capture={capture} />
          <Coverage status={status} />
        </div>
      </div>
    </>
  )
}

/** Its page. */
export const CapturePage = ({ id }: { readonly id: string }) => {
  const { value, problem } = useKnown(captures)
  const { ids } = useForgotten(forgottenCaptures)
  const capture = ids.includes(id) ? undefined : value?.find((each) => each.id === id)
  if (capture) return <Going capture={capture} />
  return (
    <>
      <h1 className="only-read-aloud">Guided capture</h1>
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <Card>
          <Empty action={<Link href="/calibration">See all calibrations</Link>}>
            There is no such capture (any more). What was solved of it is among the calibrations, if it was saved.
          </Empty>
        </Card>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
