// What the room reads: the stored pipelines, the templates, and the types of nodes.
import { api, ask, askAll, type Documents } from '../../api/client.ts'
import { createLive } from '../../state/live.ts'
import type { Graph, NodeTypes } from './graph.ts'

export type StoredGraph = Documents['StoredGraph']
export type Template = Documents['TemplateSummary']

/** The stored pipelines. */
export const graphs = createLive<readonly StoredGraph[]>({
  read: () =>
    askAll((cursor) =>
      api.GET('/v1/pipelines/graphs', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
    ),
  // which slots refer to one is said by the streams
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined && ['graph_changed', 'stream_changed'].includes(kind) ? 'stale' : undefined,
})

/** Pipelines to begin with. */
export const templates = createLive<readonly Template[]>({
  read: () =>
    askAll((cursor) =>
      api.GET('/v1/pipelines/templates', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }),
    ),
  heed: () => undefined,
})

/** The types of nodes: plugins bring some, and whether others can be had depends on the models among the media. */
export const nodeTypes = createLive<NodeTypes>({
  read: async () => {
    const answer = await ask(api.GET('/v1/pipelines/registry'))
    if (!answer.ok) return answer
    return { ...answer, value: new Map(answer.value.node_types.map((type) => [type.type, type])) }
  },
  heed: ({ kind, resource_ref }) =>
    resource_ref.peer_id === undefined && ['media_changed', 'node_types_changed'].includes(kind) ? 'stale' : undefined,
})

/** Stores a new pipeline. */
export const storeGraph = (graph: Graph & { readonly id?: string }) =>
  ask(api.POST('/v1/pipelines/graphs', { body: graph }))

/** Replaces a stored pipeline. revision: the one that the change is meant for. */
export const replaceGraph = (id: string, graph: Graph, revision: number) =>
  ask(
    api.PUT('/v1/pipelines/graphs/{id}', {
      params: { path: { id } },
      body: { ...graph, expected_revision: revision },
    }),
  )

/** Forgets a stored pipeline. isLeaving: the page is being left. */
export const deleteGraph = (id: string, isLeaving = false) =>
  ask(api.DELETE('/v1/pipelines/graphs/{id}', { params: { path: { id } }, keepalive: isLeaving }))

/** The graph of a template. */
export const readTemplate = (id: string) => ask(api.GET('/v1/pipelines/templates/{id}', { params: { path: { id } } }))

/** Gives a stream another pipeline, or another slot. */
export const changePipeline = (id: string, body: Documents['PipelineChangeOrder'], isLeaving = false) =>
  ask(api.POST('/v1/streams/{id}/pipeline/graph', { params: { path: { id } }, body, keepalive: isLeaving }))

/** Says where the nodes of a stream's own pipeline are drawn. */
export const changeLayout = (id: string, layout: NonNullable<Graph['layout']>, revision: number) =>
  ask(
    api.POST('/v1/streams/{id}/pipeline/layout', {
      params: { path: { id } },
      body: { layout, expected_revision: revision },
    }),
  )

/** Asks the planner about a graph. */
export const checkGraph = (graph: Graph, stream_id?: string) =>
  ask(api.POST('/v1/pipelines/validate', { body: { graph, ...(stream_id !== undefined && { stream_id }) } }))
