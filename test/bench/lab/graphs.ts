// Pipelines of streams that are there for other things than their pipeline.
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'

/** Looks for tags in a corner. */
const cornerOf = (px: number): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'corner', type: 'crop', params: { x_px: 0, y_px: 0, width_px: px, height_px: px } },
    { id: 'gray', type: 'gray' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [
    { from: 'source.image', to: 'corner.image' },
    { from: 'corner.image', to: 'gray.image' },
    { from: 'gray.image', to: 'tags.image' },
  ],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
})

export const CORNER = cornerOf(64)

/** As little as can be looked for: no tag has room in it. Each picture is decoded. */
export const LITTLE = cornerOf(16)

/** Looks for nothing: a camera's own JPEG is not even decoded, but for one a second. */
export const NOTHING: GraphDocument = { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] }
