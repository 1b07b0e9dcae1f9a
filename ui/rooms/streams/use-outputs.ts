// The pictures that the pipeline of a stream makes.
import { useMemo } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import type { LiveParts } from '../../state/live.ts'
import { type AnyStream, isRemote } from '../../state/streams.ts'
import { useWatched } from '../../state/watched.ts'

type Outputs = Documents['OutputList']

/** Their names; none of a stream of another device, which does not tell their kinds. */
export const useOutputs = (stream: AnyStream | undefined): readonly string[] => {
  const id = stream && !isRemote(stream) ? stream.id : undefined
  const parts = useMemo((): LiveParts<Outputs> | undefined => {
    if (id === undefined) return undefined
    return {
      read: () => ask(api.GET('/v1/streams/{id}/pipeline/outputs', { params: { path: { id } } })),
      heed: ({ kind, resource_ref }) =>
        ['pipeline_changed', 'stream_changed'].includes(kind) &&
        resource_ref.stream_id === id &&
        resource_ref.peer_id === undefined
          ? 'stale'
          : undefined,
    }
  }, [id])
  const { value } = useWatched(parts)
  return value?.outputs.filter(({ kind }) => kind === 'image').map(({ port }) => port) ?? []
}
