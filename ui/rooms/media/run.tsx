// A recording played through a pipeline: a stream that takes its pictures from it.
import { useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import { api, ask, askAll, type Documents, requestKey } from '../../api/client.ts'
import { Button, Card, WriteNote } from '../../parts/parts.tsx'
import type { MediaItem } from '../../state/media.ts'
import { type Stream, useOwnStreams } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'

type StoredGraph = Documents['StoredGraph']
type Manifest = Documents['StreamManifestOrder']

const MAX_ALIAS_LENGTH = 60

/** Those that are stored under a name of their own. */
const useStoredGraphs = (): readonly StoredGraph[] => {
  const [graphs, setGraphs] = useState<readonly StoredGraph[]>([])
  useEffect(() => {
    let isWanted = true
    const read = async () => {
      const answer = await askAll((cursor) =>
        api.GET('/v1/pipelines/graphs', { params: { query: { ...(cursor && { cursor }) } } }),
      )
      if (isWanted && answer.ok) setGraphs(answer.value)
    }
    void read()
    return () => {
      isWanted = false
    }
  }, [])
  return graphs
}

/** What makes a stream see as another one does. */
const asStream = ({ spec }: Stream): Manifest => {
  const { pipeline, own_pipeline, slots, active_slot, intrinsics, pose, map_id, crop } = spec
  return {
    pipeline,
    map_id,
    ...(own_pipeline && { own_pipeline }),
    ...(slots && { slots }),
    ...(active_slot !== undefined && { active_slot }),
    ...(intrinsics && { intrinsics }),
    ...(pose && { pose }),
    ...(crop && { crop }),
  }
}

/** Makes a stream of a recording. */
export const RunCard = ({ item }: { readonly item: MediaItem }) => {
  const id = useId()
  const streams = useOwnStreams() ?? []
  const graphs = useStoredGraphs()
  const [choice, setChoice] = useState<string>()
  const [made, setMade] = useState<string>()
  const { state, write } = useWrite()
  const runs = streams.filter(({ spec }) => spec.source.backend === 'file' && spec.source.media === item.name)
  const chosen = choice ?? (streams.some((stream) => stream.id === item.stream_id) ? `stream ${item.stream_id}` : '')

  const what = (): Manifest => {
    const [kind, of] = chosen.split(' ')
    const stream = streams.find((each) => kind === 'stream' && each.id === of)
    if (stream) return asStream(stream)
    return kind === 'graph' && of ? { slots: [{ slot: 0, graph_id: of }], active_slot: 0 } : {}
  }
  const run = async () => {
    const answer = await write(() =>
      ask(
        api.POST('/v1/streams', {
          params: { header: { 'Idempotency-Key': requestKey() } },
          body: {
            ...what(),
            alias: item.name.slice(0, MAX_ALIAS_LENGTH),
            source: { backend: 'file', media: item.name, loop: true },
          },
        }),
      ),
    )
    if (answer.ok) setMade(answer.value.id)
  }
  return (
    <Card title="Run through a pipeline">
      <div className="card-body stack">
        <p className="hint">
          Makes a stream that plays this recording again and again. It can be deleted like any other.
        </p>
        <div className="row">
          <label htmlFor={id}>With</label>
          <select id={id} value={chosen} onChange={({ target }) => setChoice(target.value)}>
            <option value="">the pipeline of new streams</option>
            {streams.length > 0 && (
              <optgroup label="As a stream has it">
                {streams.map((stream) => (
                  <option key={stream.id} value={`stream ${stream.id}`}>
                    as {stream.spec.alias}
                  </option>
                ))}
              </optgroup>
            )}
            {graphs.length > 0 && (
              <optgroup label="Stored pipelines">
                {graphs.map((graph) => (
                  <option key={graph.id} value={`graph ${graph.id}`}>
                    {graph.id}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
          <Button disabled={state.state === 'pending'} onClick={() => void run()}>
            Run
          </Button>
        </div>
        <WriteNote state={state} />
        {made !== undefined && (
          <p>
            <Link href={`/streams/${encodeURIComponent(made)}`}>Look at the stream</Link>
          </p>
        )}
        {made === undefined &&
          runs.map((stream) => (
            <p key={stream.id}>
              It is played by <Link href={`/streams/${encodeURIComponent(stream.id)}`}>{stream.spec.alias}</Link>.
            </p>
          ))}
      </div>
    </Card>
  )
}
