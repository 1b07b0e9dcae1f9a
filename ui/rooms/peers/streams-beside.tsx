// The streams of another device beside those of this one.
import { Link } from 'wouter'
import { Button, Card, Empty, Figure, Figures, Pill, ProblemNote, State, WriteNote } from '../../parts/parts.tsx'
import { LivePicture } from '../../pictures/live-picture.tsx'
import { useKnown } from '../../state/live.ts'
import { orderCompute } from '../../state/peers-compute.ts'
import { type AnyStream, isRemote, type RemoteStream, type Stream, streams, useFigures } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { shownState } from '../../words.ts'
import { decides, type Peer } from './describe.ts'
import { StaleMark } from './known.tsx'

const OVERLAY = { tags: true }
const MAX_WIDTH_PX = 480
const FPS = 10

const addressOf = (id: string): string => `/streams/${encodeURIComponent(id)}`

const sizeOf = ({ width_px, height_px }: { width_px: number | null; height_px: number | null }): string =>
  width_px === null || height_px === null ? '–' : `${width_px}×${height_px}`

/** No pictures are asked for that cannot come. */
const Picture = ({ stream, isOld }: { readonly stream: AnyStream; readonly isOld: boolean }) => {
  const { state } = stream.status
  const { word, tone } = shownState(state)
  const isThere = !isOld && tone !== 'bad' && state !== 'disabled'
  return (
    <div className="peers-stage">
      {isThere ? (
        <LivePicture stream={stream} maxWidth={MAX_WIDTH_PX} fps={FPS} overlay={OVERLAY} />
      ) : (
        <p className="peers-no-picture">{isOld ? 'No pictures while there is no link' : `No pictures: ${word}`}</p>
      )}
    </div>
  )
}

/** Where its pictures are worked on, and the way to have that elsewhere. */
const Compute = ({ stream, name }: { readonly stream: RemoteStream; readonly name: string }) => {
  const { compute, origin, spec, local_stream_id } = stream
  const { state, write } = useWrite({ target: name })
  const isHere = compute === 'local_attach'
  const at = { peer_id: origin.peer_id, remote_stream_id: spec.id }
  const order = isHere ? `Leave it to ${name}` : 'Work on it here'
  return (
    <>
      <div className="row">
        <State state={compute} />
        <Pill tone="peer">{decides(stream.authority, name)}</Pill>
        <Button
          aria-label={`${order}: ${spec.alias}`}
          disabled={state.state === 'pending' || origin.stale}
          onClick={() => void write(() => orderCompute(at, isHere ? 'proxy' : 'local_attach'))}
        >
          {order}
        </Button>
      </div>
      {local_stream_id !== undefined && (
        <p className="hint">
          Its pipeline and its results are those of <Link href={addressOf(local_stream_id)}>{local_stream_id}</Link> on
          this device.
        </p>
      )}
      <WriteNote state={state} />
    </>
  )
}

const RemoteCard = ({ stream, peer }: { readonly stream: RemoteStream; readonly peer: Peer }) => {
  const { id, spec, status, origin, revision } = stream
  return (
    <article className={origin.stale ? 'card is-old' : 'card'} aria-label={`${spec.alias} on ${peer.name}`}>
      <Picture stream={stream} isOld={origin.stale} />
      <div className="card-body stack">
        <div className="row">
          <h3>
            <Link href={addressOf(id)}>{spec.alias}</Link>
          </h3>
          {origin.stale ? <StaleMark peer={peer} /> : <State state={status.state} />}
        </div>
        <p className="hint">remote native stream on {peer.name}</p>
        <Figures>
          <Figure name="rate" value={status.fps} digits={1} unit="fps" />
          <Figure name="size" value={sizeOf(status)} />
          <Figure name="revision there" value={revision} />
        </Figures>
        <Compute stream={stream} name={peer.name} />
      </div>
    </article>
  )
}

const OwnCard = ({ stream }: { readonly stream: Stream }) => {
  const { id, spec, status, revision } = stream
  const figures = useFigures(id)
  return (
    <article className="card" aria-label={`${spec.alias} on this device`}>
      <Picture stream={stream} isOld={false} />
      <div className="card-body stack">
        <div className="row">
          <h3>
            <Link href={addressOf(id)}>{spec.alias}</Link>
          </h3>
          <State state={status.state} />
        </div>
        <p className="hint">
          {spec.source.backend === 'peer' ? 'worked on here, its camera is on another device' : 'of this device'}
        </p>
        <Figures>
          <Figure name="rate" value={figures ? figures.fps : status.fps} digits={1} unit="fps" />
          <Figure name="size" value={sizeOf(status)} />
          <Figure name="revision" value={revision} />
        </Figures>
      </div>
    </article>
  )
}

/** Both. What a device tells in the event that it has something new stands here at once. */
export const StreamsBeside = ({ peer }: { readonly peer: Peer }) => {
  const { value, problem } = useKnown(streams)
  const own = value?.filter((stream): stream is Stream => !isRemote(stream)) ?? []
  const remote = peer.streams.map(asListed)
  return (
    <div className="peers-beside">
      <section className="stack" aria-label={`Streams of ${peer.name}`}>
        <h2>On {peer.name}</h2>
        {remote.length === 0 && (
          <Card>
            <Empty>
              {peer.synced_at_ms === null ? `What ${peer.name} has was not read yet.` : `${peer.name} has no stream.`}
            </Empty>
          </Card>
        )}
        <div className="peers-tiles">
          {remote.map((stream) => (
            <RemoteCard key={stream.id} stream={stream} peer={peer} />
          ))}
        </div>
      </section>
      <section className="stack" aria-label="Streams of this device">
        <h2>On this device</h2>
        {problem && <ProblemNote problem={problem} />}
        {value && own.length === 0 && (
          <Card>
            <Empty action={<Link href="/streams">Add a stream</Link>}>This device has no stream of its own.</Empty>
          </Card>
        )}
        <div className="peers-tiles">
          {own.map((stream) => (
            <OwnCard key={stream.id} stream={stream} />
          ))}
        </div>
      </section>
    </div>
  )
}

/** As the list of all streams has it. */
const asListed = (stream: Peer['streams'][number]): RemoteStream => {
  const { id, alias, status: state, revision, width_px, height_px, fps, ...known } = stream
  return {
    id: `${known.origin.peer_id}:${id}`,
    revision,
    spec: { id, alias },
    status: { state, width_px, height_px, fps },
    ...known,
  }
}
