// The pipelines that are stored on this device.
import { api, askAll, type Documents } from '../../api/client.ts'
import { createLive } from '../../state/live.ts'

/** All of them, in the order of their creation. */
export const storedPipelines = createLive<readonly Documents['StoredGraph'][]>({
  read: () =>
    askAll((cursor) =>
      api.GET('/v1/pipelines/graphs', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
    ),
  heed: ({ kind, resource_ref }) =>
    kind === 'graph_changed' && resource_ref.peer_id === undefined ? 'stale' : undefined,
})
