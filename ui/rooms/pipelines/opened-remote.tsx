// The pipeline of a stream of another device, opened in the editor: it is read there, and changed there.
import { useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { api, ask, type Documents } from '../../api/client.ts'
import { Alert, Button, Empty, Pill, ProblemNote, State, WriteNote } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { type LiveParts, useKnown, useKnownOf } from '../../state/live.ts'
import { isRemote, type RemoteStream, streams } from '../../state/streams.ts'
import { useWatched } from '../../state/watched.ts'
import { useWrite } from '../../state/write.ts'
import type { Saved } from './edit.ts'
import type { Graph } from './graph.ts'
import { graphPatch } from './graph-patch.ts'
import { WithTypes } from './opened.tsx'
import { addressOf, addressOfStream } from './pipeline-list.tsx'
import { storeGraph } from './stored.ts'
import type { Subject } from './subject.ts'

type RemoteGraph = Documents['RemoteGraph']
type Peer = Documents['Peer']

/** listedId: with the peer and a colon before the id of the stream there. */
export const RemoteEditor = ({ listedId }: { readonly listedId: string }) => {
  const { value: all, problem } = useKnown(streams)
  const stream = all?.filter(isRemote).find(({ id }) => id === listedId)
  const peer = useKnownOf(peers, ({ value }) => value?.find(({ id }) => id === stream?.origin.peer_id))
  if (problem) return <ProblemNote problem={problem} />
  if (!all) return <p className="hint">Loading</p>
  if (!stream)
    return (
      <Empty action={<Link href="/pipelines">All pipelines</Link>}>
        No device that is registered here has a stream {listedId} now.
      </Empty>
    )
  return <OfStream stream={stream} peer={peer} />
}

const useRemoteGraph = (stream: RemoteStream) => {
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
        kind === 'pipeline_changed' && resource_ref.peer_id === peer_id && resource_ref.stream_id === remote_stream_id
          ? 'stale'
          : undefined,
    }),
    [peer_id, remote_stream_id],
  )
  return useWatched(parts)
}

interface OfStreamProps {
  readonly stream: RemoteStream
  readonly peer: Peer | undefined
}

const OfStream = ({ stream, peer }: OfStreamProps) => {
  const { id, origin, spec } = stream
  const { peer_id } = origin
  const device = peer?.name ?? peer_id
  const { value: found, problem } = useRemoteGraph(stream)
  const mayEdit = peer?.capabilities.includes('remote_pipeline_edit') ?? true
  const subject = useMemo(
    (): Subject | undefined =>
      found && {
        name: `Pipeline of ${spec.alias} on ${device}`,
        graphId: undefined,
        streamId: undefined,
        remote: { listedId: id, device, isFixed: found.is_stored || !mayEdit },
        saved: { graph: found.graph, revision: found.revision },
        save: (graph: Graph, base: Saved) => patchThere({ peer_id, remote_stream_id: spec.id }, graph, base),
        heeds: (ref) => ref.stream_id === spec.id && ref.peer_id === peer_id,
      },
    [found, id, spec.alias, spec.id, device, peer_id, mayEdit],
  )
  return (
    <>
      {found && <Note stream={stream} peer={peer} device={device} mayEdit={mayEdit} found={found} />}
      {problem && <ProblemNote problem={problem} />}
      {!found && !problem && <p className="hint">Loading</p>}
      {subject && <WithTypes subject={subject} />}
    </>
  )
}

/** The answer has the revision of the device that has the stream. */
const patchThere = async (
  path: { readonly peer_id: string; readonly remote_stream_id: string },
  graph: Graph,
  { graph: before, revision }: Saved,
) => {
  const answer = await ask(
    api.POST('/v1/peers/{peer_id}/streams/{remote_stream_id}/pipeline/graph/patch', {
      params: { path },
      body: { expected_pipeline_revision: revision, patch: [...graphPatch(before, graph)] },
    }),
  )
  return answer.ok ? { ...answer, revision: answer.value.pipeline_revision } : answer
}

interface NoteProps extends OfStreamProps {
  readonly device: string
  readonly mayEdit: boolean
  readonly found: RemoteGraph
}

/** Whose it is, and who decides; and why it cannot be changed from here, where that is so. */
const Note = ({ stream, peer, device, mayEdit, found }: NoteProps) => {
  const { compute, authority, origin, local_stream_id } = stream
  return (
    <Alert tone="peer">
      <div className="row">
        <strong>remote native stream on {device}</strong>
        <State state={compute} />
        <Pill tone="peer">{authority === 'source' ? `${device} decides` : 'this device decides'}</Pill>
        {origin.stale && <State state="stale">no link to {device}</State>}
      </div>
      <p>
        {found.is_stored ? (
          <>
            It runs a pipeline that is stored on {device}, where several streams may run it: it is changed there
            {peer && (
              <>
                , in <a href={`${peer.base_url}${addressOf(found.pipeline_id)}`}>the editor of {device}</a>
              </>
            )}
            .
          </>
        ) : mayEdit ? (
          <>
            What is saved is sent to {device}, which checks it, runs it and has the last word. What stands at the nodes
            is what this device thinks of it.
          </>
        ) : (
          <>{device} is of a version whose pipelines cannot be changed from here.</>
        )}
      </p>
      {local_stream_id !== undefined && (
        <p>
          This device works on its pictures, too, with{' '}
          <Link href={addressOfStream(local_stream_id)}>a pipeline of its own</Link>.
        </p>
      )}
      <CopyButton found={found} name={`${stream.spec.alias} of ${device}`} />
    </Alert>
  )
}

const CopyButton = ({ found, name }: { readonly found: RemoteGraph; readonly name: string }) => {
  const { state, write } = useWrite()
  const [, navigate] = useLocation()
  const copy = async () => {
    const answer = await write(() => storeGraph({ ...found.graph, name: found.graph.name ?? name }))
    if (answer.ok) navigate(addressOf(answer.value.id))
  }
  return (
    <>
      <Button disabled={state.state === 'pending'} onClick={() => void copy()}>
        Store a copy here
      </Button>
      {state.state === 'refused' && <WriteNote state={state} />}
    </>
  )
}
