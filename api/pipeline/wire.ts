// Stored pipelines on the wire.
import { GraphDraft } from '../../machines/pipeline/graph.ts'
import { GraphId } from '../../machines/pipeline/graph-id.ts'
import Type from '../../machines/schema/type.ts'
import { GraphUser } from '../../machines/stream/slots.ts'
import { verdictFields } from './report.ts'

const strict = { additionalProperties: false } as const

/** What is the case with a stored pipeline. */
export const GraphStatus = Type.Object(
  {
    ...verdictFields,
    used_by: Type.Array(GraphUser, {
      description: 'The slots that refer to it: while there are any, it is not deleted.',
    }),
  },
  {
    ...strict,
    title: 'GraphStatus',
    description: 'Whether a stored pipeline can run, as far as that can be said without a stream, and who uses it.',
  },
)

/** A pipeline as it is sent to be stored, and as a file has it. */
export const GraphFile = Type.Object(
  { id: Type.Optional(GraphId), ...GraphDraft.properties },
  {
    ...strict,
    title: 'GraphFile',
    description: 'A pipeline as a file, which another device takes as it is. Without an id, one is made from its name.',
  },
)

export const graphExample = {
  name: 'Tags, near',
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'tags', type: 'apriltag', params: { decimate: 1 } },
  ],
  edges: [{ from: 'source.image', to: 'tags.image' }],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
  layout: { source: { x: 0, y: 0 }, tags: { x: 220, y: 0 } },
}

export const storedExample = {
  id: 'tags-near',
  spec: graphExample,
  status: {
    runnable: true,
    diagnostics: [],
    diagnostics_left_out: 0,
    used_by: [{ stream_id: 'front', slot: 2, active: true }],
  },
}
