// The first page: all streams at once, the robot's link, what is wrong, and what is plugged in and not in use.
import { Link } from 'wouter'
import { Card, Empty, Figure, Figures, ProblemNote, State } from '../../parts/parts.tsx'
import { LivePicture } from '../../pictures/live-picture.tsx'
import { useKnown } from '../../state/live.ts'
import { type AnyStream, isRemote, streams } from '../../state/streams.ts'

const Tile = ({ stream }: { readonly stream: AnyStream }) => {
  const { id, spec, status } = stream
  return (
    <Link className="card tile" href={`/streams/${encodeURIComponent(id)}`}>
      <div className="stage">
        <LivePicture stream={stream} maxWidth={640} fps={15} overlay={{ tags: true }} />
        <div className="over">
          <State state={status.state} />
          {isRemote(stream) && <State state={stream.compute} />}
        </div>
      </div>
      <div className="under-picture">
        <h2>{spec.alias}</h2>
        <Figures>
          <Figure name="rate" value={status.fps} unit="fps" />
        </Figures>
      </div>
    </Link>
  )
}

const Overview = () => {
  const { value, problem } = useKnown(streams)
  return (
    <>
      <h1 className="only-read-aloud">Overview</h1>
      {problem && <ProblemNote problem={problem} />}
      <div className="overview">
        <div className="tiles">
          {value?.map((stream) => (
            <Tile key={stream.id} stream={stream} />
          ))}
          {value?.length === 0 && (
            <Card>
              <Empty>There is no stream yet. Plug in a camera: it shows here.</Empty>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

export default Overview
