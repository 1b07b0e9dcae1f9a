// What a stream has to do with other devices: whose it is, who decides, where its pictures are worked on.
import { Link } from 'wouter'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Age, Alert, Button, Pill, State, WriteNote } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { orderCompute } from '../../state/peers-compute.ts'
import type { RemoteStream, Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { streamAddress } from './describe.ts'
import type { StreamTarget } from './target.ts'

/** Above the page of a stream of another device. */
export const RemoteNote = ({ stream, target }: { readonly stream: RemoteStream; readonly target: StreamTarget }) => {
  const { compute, authority, origin, spec, local_stream_id } = stream
  const at = { peer_id: origin.peer_id, remote_stream_id: spec.id }
  const { state, write } = useWrite({ target: target.device })
  const lastSeenMs = useKnownOf(
    peers,
    ({ value }) => value?.find(({ id }) => id === origin.peer_id)?.health.last_seen_ms ?? null,
  )
  const isHere = compute === 'local_attach'
  return (
    <Alert
      tone="peer"
      action={
        <Button
          disabled={state.state === 'pending'}
          onClick={() => void write(() => orderCompute(at, isHere ? 'proxy' : 'local_attach'))}
        >
          {isHere ? `Leave it to ${target.device}` : 'Work on its pictures here'}
        </Button>
      }
    >
      <div className="row">
        <strong>remote native stream on {target.device}</strong>
        <State state={compute} />
        <Pill tone="peer">{authority === 'source' ? `${target.device} decides` : 'this device decides'}</Pill>
        {origin.stale && (
          <State state="stale">
            no link to {target.device}
            {lastSeenMs !== null && (
              <>
                {' '}
                for <Age sinceMs={browserTimeOf(lastSeenMs)} />
              </>
            )}
          </State>
        )}
      </div>
      <p>
        {isHere ? (
          <>
            This device works on its pictures, as{' '}
            {local_stream_id === undefined ? (
              'a stream of its own'
            ) : (
              <Link href={streamAddress(local_stream_id)}>{local_stream_id}</Link>
            )}
            . The camera, its lens and its place stay with {target.device}.
          </>
        ) : (
          <>What is set here is sent to {target.device}, which works on the pictures itself.</>
        )}
      </p>
      <WriteNote state={state} />
    </Alert>
  )
}

/** Above the page of a stream of this device whose pictures come from another one. */
export const PeerSourceNote = ({ stream }: { readonly stream: Stream }) => {
  const { source } = stream.spec
  const all = useKnownOf(peers, ({ value }) => value)
  if (source.backend !== 'peer') return null
  const device = all?.find(({ id }) => id === source.peer_id)?.name ?? source.peer_id
  return (
    <Alert tone="peer">
      Its pictures come from the stream{' '}
      <Link href={streamAddress(`${source.peer_id}:${source.stream_id}`)}>{source.stream_id}</Link> of {device}, and are
      worked on here.
    </Alert>
  )
}
