// Pipelines that many tests run, and what an engine is told of one.
import type { GraphDocument, GraphDraft, Plan } from '../../../machines/pipeline/graph.ts'
import { planGraph, type Runnable } from '../../../machines/pipeline/plan.ts'

/** What the planner makes of a graph. Throws when that cannot run. */
export const runnable = (graph: GraphDraft): Runnable => {
  const planned = planGraph(graph)
  if (!planned.ok) throw new Error(JSON.stringify(planned.errors))
  return planned
}

/** The plan of a graph. Throws when that cannot run. */
export const planOf = (graph: GraphDraft): Plan => runnable(graph).plan

/** Tags alone, as an output of this name, by a detector with these parameters. */
export const tagsAs = (port: string, params: object = {}): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag', params: { ...params } },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port, from: 'tags.detections' }],
})
