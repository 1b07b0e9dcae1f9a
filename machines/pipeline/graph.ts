// The pipeline graph as its user writes it: nodes, edges between their ports, and the outputs that leave the engine.
import Type, { type Static } from 'typebox'

const Id = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
})

export const NodeDocument = Type.Object(
  {
    id: Id,
    type: Type.String({ minLength: 1, maxLength: 40, description: 'A type of the node registry.' }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 40 })),
  },
  { additionalProperties: false },
)

const PortRef = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}\\.[a-z][a-z0-9_]{0,39}$',
  description: 'The id of a node, a dot, and the name of one of its ports.',
})

export const EdgeDocument = Type.Object({ from: PortRef, to: PortRef }, { additionalProperties: false })

export const OutputDocument = Type.Object({ port: Id, from: PortRef }, { additionalProperties: false })

/** A pipeline graph. Validated and planned by machines/pipeline/plan.ts, executed by the engine. */
export const GraphDocument = Type.Object(
  {
    nodes: Type.Array(NodeDocument, { minItems: 1, maxItems: 64 }),
    edges: Type.Array(EdgeDocument, { maxItems: 256 }),
    outputs: Type.Array(OutputDocument, { minItems: 1, maxItems: 32 }),
  },
  { additionalProperties: false },
)
export type GraphDocument = Static<typeof GraphDocument>
export type NodeDocument = Static<typeof NodeDocument>

/** What travels along an edge. All but `image` can leave the engine as an output. */
export type PortKind = 'image' | 'detections' | 'points' | 'tag_poses' | 'field_pose'

/** One step of a plan: steps run in order, ports are numbered slots. params are complete and in range. */
export interface PlanStep {
  readonly id: string
  readonly type: string
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
  readonly params: Readonly<Record<string, unknown>>
}

/** A graph made executable: what the engine is told. Step 0 is always the source. */
export interface Plan {
  readonly slots: number
  readonly steps: readonly PlanStep[]
  readonly outputs: readonly { readonly port: string; readonly slot: number; readonly kind: PortKind }[]
}

/** Tags, and from them the robot's pose: what a stream runs when its manifest names no graph. */
export const defaultGraph: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'gray', type: 'gray' },
    { id: 'tags', type: 'apriltag' },
    { id: 'points', type: 'undistort-points' },
    { id: 'tag_poses', type: 'tag-pose' },
    { id: 'field_pose', type: 'field-pose' },
  ],
  edges: [
    { from: 'source.image', to: 'gray.image' },
    { from: 'gray.image', to: 'tags.image' },
    { from: 'tags.detections', to: 'points.detections' },
    { from: 'points.points', to: 'tag_poses.points' },
    { from: 'points.points', to: 'field_pose.points' },
    { from: 'tag_poses.poses', to: 'field_pose.tag_poses' },
  ],
  outputs: [
    { port: 'tags', from: 'tags.detections' },
    { port: 'tag_poses', from: 'tag_poses.poses' },
    { port: 'pose', from: 'field_pose.pose' },
  ],
}
