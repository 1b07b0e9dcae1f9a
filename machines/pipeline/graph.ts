// The pipeline graph as its user writes it: nodes, edges between their ports, and the outputs that leave the engine.
import type { Static } from 'typebox'
import { Name } from '../schema/name.ts'
import Type from '../schema/type.ts'
import type { PortKind } from './kinds.ts'
import type { PluginStep } from './plugin-step.ts'

/** More is a mistake in a program. Few types give two values, and none gives more. */
export const MAX_NODES = 512

/** Four for each node; no type takes more, but scripts, which are few. */
export const MAX_EDGES = 2048

/**
 * Values that the engine keeps at most for a plan: two for each node. No graph makes more, which a test holds the types
 * of nodes to.
 */
export const MAX_SLOTS = 2 * MAX_NODES

/** What a synthetic camera adds stands beside them. */
export const MAX_OUTPUTS = 32

const Id = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
})

const strict = { additionalProperties: false } as const

const nodeFields = {
  id: Id,
  // a plugin, a dot, and a type of its own
  type: Type.String({ minLength: 1, maxLength: 81, description: 'A type of the node registry.' }),
  params: Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 40,
    description: 'As the registry says of the type; what is left out has its default.',
  }),
}

/** The name of an output. */
export const PortName = Id

/** Where values come from. */
export const PortRef = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}\\.[a-z][a-z0-9_]{0,39}$',
  description: 'The id of a node, a dot, and the name of one of its ports.',
})

const PLACE = { minimum: -1_000_000, maximum: 1_000_000 }

/** Where an editor draws the nodes of a graph. */
export const GraphLayout = Type.Record(
  Type.String(),
  Type.Object(
    { x: Type.Number(PLACE), y: Type.Number(PLACE) },
    { ...strict, title: 'NodePlace', description: 'Where an editor draws a node, in units of its own.' },
  ),
  {
    maxProperties: MAX_NODES,
    description: 'Places of nodes by their id, for editors. Nothing else depends on it.',
  },
)

const aboutFields = {
  name: Type.Optional(Name(60, 'A name for people.')),
  layout: Type.Optional(GraphLayout),
}

const Edge = Type.Object(
  { from: PortRef, to: PortRef },
  { ...strict, title: 'GraphEdge', description: 'From an output to an input.' },
)

const Output = Type.Object(
  { port: Id, from: PortRef },
  { ...strict, title: 'GraphOutput', description: 'What leaves the engine, and under which name.' },
)

const graphFields = {
  ...aboutFields,
  edges: Type.Array(Edge, { maxItems: MAX_EDGES }),
  outputs: Type.Array(Output, { maxItems: MAX_OUTPUTS }),
}

/** A node as its user writes it. */
export const NodeDocument = Type.Object(
  { ...nodeFields, params: Type.Optional(nodeFields.params) },
  { ...strict, title: 'GraphNode', description: 'One step of a pipeline.' },
)
export type NodeDocument = Static<typeof NodeDocument>

/** A pipeline graph. Validated and planned by machines/pipeline/plan.ts, executed by the engine. */
export const GraphDocument = Type.Object(
  { nodes: Type.Array(NodeDocument, { minItems: 1, maxItems: MAX_NODES }), ...graphFields },
  {
    ...strict,
    title: 'Graph',
    description: 'A pipeline: nodes, edges between their ports, and the outputs that leave the engine.',
  },
)
export type GraphDocument = Static<typeof GraphDocument>

/** A graph that is being edited: it can be read, but perhaps not run. Also one without a single node. */
export const GraphDraft = Type.Object(
  {
    ...aboutFields,
    nodes: Type.Array(NodeDocument, { maxItems: MAX_NODES }),
    edges: Type.Array(Edge, { maxItems: MAX_EDGES }),
    outputs: Type.Array(Output, { maxItems: MAX_OUTPUTS }),
  },
  {
    ...strict,
    title: 'GraphDraft',
    description: 'A pipeline that somebody is working on. It is kept as it is, also while it cannot run.',
  },
)
export type GraphDraft = Static<typeof GraphDraft>

const CanonicalNode = Type.Object(nodeFields, {
  ...strict,
  title: 'CanonicalGraphNode',
  description: 'One step of a pipeline, with every parameter.',
})

/** A graph with every parameter filled in. */
export const CanonicalGraph = Type.Object(
  { nodes: Type.Array(CanonicalNode, { minItems: 1, maxItems: MAX_NODES }), ...graphFields },
  { ...strict, title: 'CanonicalGraph', description: 'A pipeline with every parameter filled in.' },
)
export type CanonicalGraph = Static<typeof CanonicalGraph>

/**
 * One step of a plan: steps run in order, ports are numbered slots, -1 one that is left open. params are complete and
 * in range.
 */
export interface PlanStep {
  readonly id: string
  readonly type: string
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
  readonly params: Readonly<Record<string, unknown>>
  /** What does it, where the node is a plugin's. */
  readonly plugin?: PluginStep
}

/** All parameters of a step of a plan. */
export type StepParams = Pick<PlanStep, 'id' | 'params'>

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
