// Where a camera is calibrated: which one, by which board, and from which pictures.
import { Link } from 'wouter'
import { BackLink } from '../../parts/back-link.tsx'
import { Card, Empty, Field, ProblemNote, State, Tabs } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { useQueryChoices } from '../../state/query-choices.ts'
import { type Stream, streams, useOwnStreams } from '../../state/streams.ts'
import { BoardToPrint } from './board-to-print.tsx'
import { FromPictures } from './from-pictures.tsx'
import { Guided } from './guided.tsx'

const StreamChoice = ({ all, chosen }: { readonly all: readonly Stream[]; readonly chosen: Stream }) => {
  const [, choose] = useQueryChoices()
  const { status } = chosen
  return (
    <Field name="Camera of the stream">
      {(id) => (
        <div className="row calibration-stream">
          <select id={id} className="input" value={chosen.id} onChange={({ target }) => choose('stream', target.value)}>
            {all.map((stream) => (
              <option key={stream.id} value={stream.id}>
                {stream.spec.alias}
              </option>
            ))}
          </select>
          <State state={status.state} />
          {status.width_px !== null && (
            <span className="hint">
              {status.width_px}×{status.height_px} {status.pixel_format}
            </span>
          )}
        </div>
      )}
    </Field>
  )
}

const Ways = ({ stream }: { readonly stream: Stream }) => {
  const [query, choose] = useQueryChoices()
  return (
    <Card title="2. The pictures">
      <Tabs
        label="Where the pictures come from"
        chosen={query.get('from') ?? 'camera'}
        onChoose={(id) => choose('from', id)}
        tabs={[
          { id: 'camera', name: 'By the camera, guided', content: () => <Guided stream={stream} /> },
          { id: 'media', name: 'From pictures', content: () => <FromPictures stream={stream} /> },
        ]}
      />
    </Card>
  )
}

/** Its page. */
export const StartPage = () => {
  const [query] = useQueryChoices()
  const { problem } = useKnown(streams)
  const all = useOwnStreams()
  const chosen = all?.find(({ id }) => id === query.get('stream')) ?? all?.[0]
  return (
    <>
      <div className="page-head">
        <BackLink href="/calibration" name="All calibrations" />
        <h1>Calibrate a camera</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {all && !chosen && (
        <Card>
          <Empty action={<Link href="/">Overview</Link>}>
            There is no stream yet. Plug a camera in and start it on the overview.
          </Empty>
        </Card>
      )}
      {all && chosen && (
        <>
          <StreamChoice all={all} chosen={chosen} />
          <div className="calibration-start">
            <BoardToPrint streamId={chosen.id} />
            <Ways stream={chosen} />
          </div>
        </>
      )}
    </>
  )
}
