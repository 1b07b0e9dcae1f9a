// Pipelines to begin with: each runs as it is, and is meant to be copied and changed.
import { defaultGraph, type GraphDocument } from './graph.ts'

/** A pipeline to begin with. */
export interface Template {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly graph: GraphDocument
}

/** Nodes in a row, as editors draw them. */
const inARow = (graph: GraphDocument): GraphDocument => ({
  ...graph,
  layout: Object.fromEntries(graph.nodes.map(({ id }, n) => [id, { x: n * 220, y: 0 }])),
})

const template = (id: string, name: string, description: string, graph: GraphDocument): Template => ({
  ...{ id, name, description },
  graph: inARow({ name, ...graph }),
})

/** All of them, those that most teams want first. */
export const templates: readonly Template[] = [
  template(
    'apriltag-3d',
    'AprilTags and field pose',
    'Finds AprilTags, the pose of each, and from all of them together where the robot stands. Needs a calibrated camera and a field map.',
    defaultGraph,
  ),
  template(
    'apriltag-2d',
    'AprilTags in the picture',
    'Finds AprilTags and where they are in the picture, for aiming at one. Needs no calibration.',
    {
      nodes: [
        { id: 'source', type: 'source' },
        { id: 'tags', type: 'apriltag' },
      ],
      edges: [{ from: 'source.image', to: 'tags.image' }],
      outputs: [{ port: 'tags', from: 'tags.detections' }],
    },
  ),
  template(
    'driver',
    'Pictures for the driver',
    'Looks for nothing: pictures are shown and recorded as they come, at the least cost.',
    { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] },
  ),
]
