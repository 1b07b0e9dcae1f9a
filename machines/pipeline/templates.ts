// Pipelines to begin with: each runs as it is, and is meant to be copied and changed.
import { oneLine } from '../schema/one-line.ts'
import { defaultGraph, type GraphDocument, type NodeDocument } from './graph.ts'

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
  id,
  name,
  description,
  graph: inARow({ name, ...graph }),
})

/**
 * A graph with one more output: a picture on which this is drawn, for viewers. It is made while it has viewers, and
 * costs nothing else.
 */
const withOverlay = (
  graph: GraphDocument,
  drawn: Readonly<Record<string, string>>,
  onto = 'source.colour',
): GraphDocument => ({
  ...graph,
  nodes: [...graph.nodes, { id: 'overlay', type: 'overlay' }],
  edges: [
    ...graph.edges,
    { from: onto, to: 'overlay.image' },
    ...Object.entries(drawn).map(([input, from]) => ({ from, to: `overlay.${input}` })),
  ],
  outputs: [...graph.outputs, { port: 'overlay', from: 'overlay.image' }],
})

/** Tags in the picture of the camera. */
const tagsIn = (params: NonNullable<NodeDocument['params']> = {}): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag', params },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
})

/** The same with how sharp and how bright the picture of the camera is. */
const measured = (graph: GraphDocument): GraphDocument => ({
  ...graph,
  nodes: [...graph.nodes, { id: 'focus', type: 'focus-metric' }, { id: 'light', type: 'exposure-stats' }],
  edges: [...graph.edges, { from: 'source.image', to: 'focus.image' }, { from: 'source.image', to: 'light.image' }],
  outputs: [...graph.outputs, { port: 'focus', from: 'focus.focus' }, { port: 'exposure', from: 'light.exposure' }],
})

const target: GraphDocument = {
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
    { port: 'mask', from: 'clean.mask' },
  ],
}

const straightened: GraphDocument = {
  ...tagsIn(),
  nodes: [...tagsIn().nodes, { id: 'straight', type: 'undistort' }],
  edges: [...tagsIn().edges, { from: 'source.colour', to: 'straight.image' }],
}

const objects: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'detect', type: 'object-detector' },
  ],
  edges: [{ from: 'source.colour', to: 'detect.image' }],
  outputs: [{ port: 'objects', from: 'detect.objects' }],
}

const sight: GraphDocument = { ...tagsIn(), outputs: [] }

/** All of them, those that most teams want first. */
export const templates: readonly Template[] = [
  template(
    'apriltag-3d',
    'AprilTags and field pose',
    oneLine`
      Finds AprilTags, the pose of each, and from all of them together where the robot stands. Needs a calibrated camera
      and a field map. Its picture has the tags drawn in.
    `,
    withOverlay(defaultGraph, { detections: 'tags.detections' }),
  ),
  template(
    'apriltag-2d',
    'AprilTags in the picture',
    oneLine`
      Finds AprilTags and where they are in the picture, for aiming at one. Needs no calibration. Its picture has the
      tags drawn in.
    `,
    withOverlay(tagsIn(), { detections: 'tags.detections' }),
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
    oneLine`
      Finds bright green things, as retroreflective tape in the light of a green ring, and where to aim at. Set the
      range of hues first, with an eye on its picture \`mask\`, then which outlines count, with an eye on \`overlay\`.
      Directions need a calibrated camera.
    `,
    withOverlay(target, { contours: 'sort.contours', targets: 'target.targets' }),
  ),
  template(
    'focus',
    'Focus',
    oneLine`
      Says how sharp and how bright the picture is, for turning the ring of a lens: the best value is kept beside the
      present one. In its picture the tags are drawn that can be read; they are looked for while somebody watches it.
    `,
    measured(withOverlay(sight, { detections: 'tags.detections' })),
  ),
  template(
    'calibration-view',
    'View of a calibration',
    oneLine`
      Shows whether a calibration is right: in its picture, from which is taken what the lens bends, straight edges are
      straight and tags are framed to the pixel. Tells how sharp and how bright the picture is, too. Without a
      calibration the picture is that of the camera.
    `,
    measured(withOverlay(straightened, { detections: 'tags.detections' }, 'straight.image')),
  ),
  template(
    'object-detection',
    'Objects by a learned model',
    oneLine`
      Finds what a model knows that you have trained (ONNX), such as game pieces and other robots. Upload it as media
      first, then choose it in the node \`detect\`. Its picture has what was found drawn in. Directions need a
      calibrated camera.
    `,
    withOverlay(objects, { objects: 'detect.objects' }),
  ),
]
