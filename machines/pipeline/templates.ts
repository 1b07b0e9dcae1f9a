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
  template(
    'colour-target',
    'Targets by colour',
    'Finds bright green things, as retroreflective tape in the light of a green ring, and where to aim at. Set the range of hues first, then which outlines count. Directions need a calibrated camera.',
    {
      nodes: [
        { id: 'source', type: 'source' },
        { id: 'threshold', type: 'hsv-threshold', params: { hue_min_deg: 80, hue_max_deg: 160 } },
        { id: 'clean', type: 'morphology', params: { operation: 'open' } },
        { id: 'outlines', type: 'contours' },
        { id: 'filter', type: 'contour-filter' },
        { id: 'sort', type: 'sort', params: { by: 'largest', limit: 5 } },
        { id: 'target', type: 'target' },
      ],
      edges: [
        { from: 'source.colour', to: 'threshold.image' },
        { from: 'threshold.mask', to: 'clean.mask' },
        { from: 'clean.mask', to: 'outlines.mask' },
        { from: 'outlines.contours', to: 'filter.contours' },
        { from: 'filter.contours', to: 'sort.contours' },
        { from: 'sort.contours', to: 'target.contours' },
      ],
      outputs: [
        { port: 'targets', from: 'target.targets' },
        { port: 'contours', from: 'sort.contours' },
      ],
    },
  ),
]
