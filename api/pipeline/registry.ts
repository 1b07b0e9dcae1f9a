// The node types on the wire: what graphs can be made of.

import type { StoredModels } from '../../machines/models/stored-models.ts'
import { DIAGNOSTICS, type DiagnosticCode, SeverityName } from '../../machines/pipeline/diagnostic.ts'
import { MAX_EDGES, MAX_NODES, MAX_OUTPUTS } from '../../machines/pipeline/graph.ts'
import { knownTypes } from '../../machines/pipeline/known-types.ts'
import { NODE_CATEGORIES } from '../../machines/pipeline/node-type.ts'
import { MAX_GRAPHS } from '../../machines/pipeline/stored-graphs.ts'
import { formOf } from '../../machines/schema/form.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { read } from '../endpoints/read.ts'
import { FormSchema, NodePort, portOf } from './node-port.ts'
import type { PipelineParts } from './parts.ts'

const strict = { additionalProperties: false } as const

const Cost = Type.Object(
  {
    us: Type.Number({ minimum: 0, description: 'For each frame, in microseconds.' }),
    ns_per_px: Type.Number({ minimum: 0, description: 'More for each pixel of its first picture, in nanoseconds.' }),
  },
  {
    ...strict,
    title: 'NodeCost',
    description: oneLine`
      About how long a node takes with its default parameters, on a machine on which libapriltag takes 20 ms for
      1280x800 pixels at decimate 2.
    `,
  },
)

const Availability = Type.Object(
  {
    available: Type.Boolean(),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is not available, or what it still lacks; null: nothing.',
    }),
  },
  { ...strict, title: 'NodeAvailability', description: 'Whether this device can run nodes of a type.' },
)

const RegisteredNode = Type.Object(
  {
    type: Type.String(),
    category: Type.Enum([...NODE_CATEGORIES], {
      title: 'NodeCategory',
      description:
        'For people who look for a node. source: where pictures come from. image: pictures of pictures. tags: tags, ' +
        'and poses by them. colour: targets by their colour. learned: models. plugins: what plugins bring. ' +
        'other: what is none of these.',
    }),
    description: Type.String(),
    inputs: Type.Array(NodePort),
    outputs: Type.Array(NodePort),
    params: FormSchema,
    live: Type.Array(Type.String(), {
      description: 'Parameters of which another value takes effect in the next frame; of others a new plan is made.',
    }),
    needs: Type.Array(Type.Enum(['intrinsics', 'model']), {
      description: 'What it can do nothing without. intrinsics: those of the stream. model: one among the media.',
    }),
    cost: Cost,
    availability: Availability,
  },
  { ...strict, title: 'RegisteredNode', description: 'A type of node of which graphs are made.' },
)

const Registry = Type.Object(
  {
    node_types: Type.Array(RegisteredNode),
    limits: Type.Object(
      { nodes: Type.Integer(), edges: Type.Integer(), outputs: Type.Integer(), stored_graphs: Type.Integer() },
      { ...strict, title: 'GraphLimits', description: 'At most so many: of a graph, and of stored graphs.' },
    ),
    diagnostics: Type.Array(
      Type.Object(
        {
          code: Type.String({
            description: 'Clients tell diagnostics apart by it; none is ever given another meaning.',
          }),
          severity: SeverityName,
        },
        { ...strict, title: 'DiagnosticKind', description: 'A code of a diagnostic, and how bad that is.' },
      ),
      { description: 'Everything that the planner may say.' },
    ),
  },
  { ...strict, title: 'NodeRegistry', description: 'What graphs can be made of.' },
)

const limits = { nodes: MAX_NODES, edges: MAX_EDGES, outputs: MAX_OUTPUTS, stored_graphs: MAX_GRAPHS }

const diagnostics = (Object.keys(DIAGNOSTICS) as DiagnosticCode[]).map((code) => ({
  code,
  severity: DIAGNOSTICS[code],
}))

const example = {
  node_types: [
    {
      type: 'gray',
      category: 'image',
      description: 'One channel of 8 bits.',
      inputs: [{ name: 'image', kind: 'image', format: 'any', optional: false }],
      outputs: [{ name: 'image', kind: 'image', format: 'gray', optional: false }],
      params: { type: 'object', properties: {} },
      live: [],
      needs: [],
      cost: { us: 1, ns_per_px: 0 },
      availability: { available: true, reason: null },
    },
  ],
  limits,
  diagnostics: [{ code: 'node.unused', severity: 'warning' }],
}

export const registryRow = ({ unavailable, models }: PipelineParts) =>
  read('GET', '/v1/pipelines/registry', {
    summary: 'Types of nodes',
    about: oneLine`
      With their ports and parameters (JSON Schema with default and range, and with label, unit, step and order for
      forms), and what the planner may say.
    `,
    isLasting: true,
    answer: Registry,
    example,
    get: () => ({ node_types: registered(unavailable(), models), limits, diagnostics }),
  })

/** What nodes lack that run models, while there is none. */
const NO_MODEL = 'no model is stored on this device yet; upload one (POST /v1/media)'

const registered = (unavailable: ReadonlyMap<string, string>, models: StoredModels) => {
  const lack = models.all().length === 0 ? NO_MODEL : null
  return Object.entries(knownTypes()).map(([type, node]) => {
    const { category, description, inputs, outputs, live = [], needs, cost } = node
    return {
      type,
      category,
      description,
      params: formOf(node.params, node.labels),
      inputs: inputs.map(portOf),
      outputs: outputs.map(portOf),
      live: [...live],
      needs: needs ? [needs] : [],
      cost: { us: cost.us, ns_per_px: cost.ns_per_px ?? 0 },
      availability: {
        available: !unavailable.has(type),
        reason: unavailable.get(type) ?? (needs === 'model' ? lack : null),
      },
    }
  })
}
