// What runs on the pictures of a stream of another device.
import { useMemo } from 'react'
import { Link } from 'wouter'
import { api, ask, type Documents } from '../../api/client.ts'
import { ProblemNote } from '../../parts/parts.tsx'
import type { LiveParts } from '../../state/live.ts'
import type { RemoteStream } from '../../state/streams.ts'
import { useWatched } from '../../state/watched.ts'
import { remotePipelineAddress } from './describe.ts'
import type { StreamTarget } from './target.ts'

type RemoteGraph = Documents['RemoteGraph']

/** Its steps and outputs, as its device has them. */
export const RemotePipelineTab = ({
  stream,
  target,
}: {
  readonly stream: RemoteStream
  readonly target: StreamTarget
}) => {
  const { peer_id } = stream.origin
  const remote_stream_id = stream.spec.id
  const parts = useMemo(
    (): LiveParts<RemoteGraph> => ({
      read: () =>
        ask(
          api.GET('/v1/peers/{peer_id}/streams/{remote_stream_id}/pipeline/graph', {
            params: { path: { peer_id, remote_stream_id } },
          }),
        ),
      heed: ({ kind, resource_ref }) =>
        kind === 'pipeline_changed' && target.heeds(resource_ref) ? 'stale' : undefined,
    }),
    [peer_id, remote_stream_id, target],
  )
  const { value, problem } = useWatched(parts)
  return (
    <div className="stack">
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <>
          <p>
            {value.is_stored ? (
              <>
                Runs <strong>{value.graph.name ?? value.pipeline_id}</strong>, stored on {target.device}
              </>
            ) : (
              <>Runs a pipeline of its own, on {target.device}</>
            )}
            <span className="hint">, revision {value.revision} there</span>
          </p>
          <ol className="streams-steps">
            {value.graph.nodes.map(({ id, type }) => (
              <li key={id}>
                <strong>{id}</strong> <span className="hint">{type}</span>
              </li>
            ))}
          </ol>
          <div className="row">
            <Link className="button" href={remotePipelineAddress(stream.id)}>
              Open it in the editor
            </Link>
          </div>
          <p className="hint">Outputs: {value.graph.outputs.map(({ port }) => port).join(', ') || 'none'}</p>
        </>
      )}
    </div>
  )
}
