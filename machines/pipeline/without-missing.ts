// What of a graph can run while plugins are missing whose nodes it has: a robot keeps its tags when a plugin goes.
import type { CanonicalGraph, GraphDraft } from './graph.ts'
import { knownTypes } from './known-types.ts'
import type { NodeTypes } from './node-type.ts'
import { type Planned, planGraph } from './plan.ts'
import { pluginOf } from './plugin-step.ts'
import { partsOf } from './reading/graph-index.ts'
import { wholeParams } from './reading/whole-params.ts'

/** The plugins whose nodes a graph has and that are missing, or do not bring these; in the order of the document. */
export const missingPlugins = ({ nodes }: GraphDraft, types = knownTypes()): readonly string[] => [
  ...new Set(nodes.flatMap(({ type }) => (isMissing(type, types) ? (pluginOf(type) as string) : []))),
]

/**
 * The plan of a graph without the nodes of plugins that are missing, what cannot be computed without them, and the
 * outputs of these. Of a graph that lacks nothing it is the plan of all of it.
 */
export const planWithoutMissing = (graph: GraphDraft, types = knownTypes()): Planned =>
  missingPlugins(graph, types).length === 0 ? planGraph(graph, types) : planGraph(withoutMissing(graph, types), types)

/** A graph with every parameter filled in, as far as its types are known. */
export const filledGraph = (graph: GraphDraft, types = knownTypes()): CanonicalGraph => ({
  ...graph,
  nodes: graph.nodes.map(({ id, type, params = {} }) => {
    const is = Object.hasOwn(types, type) ? types[type] : undefined
    return { id, type, params: is ? wholeParams(is, params).whole : params }
  }),
})

const isMissing = (type: string, types: NodeTypes): boolean =>
  pluginOf(type) !== undefined && !Object.hasOwn(types, type)

/** A graph is never changed but replaced: what was once found holds for as long as the types do. */
const known = new WeakMap<GraphDraft, { readonly types: NodeTypes; readonly rest: GraphDraft }>()

const withoutMissing = (graph: GraphDraft, types: NodeTypes): GraphDraft => {
  const before = known.get(graph)
  if (before?.types === types) return before.rest
  const gone = goneWith(graph, types)
  const rest = {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !gone.has(id)),
    edges: graph.edges.filter(({ from, to }) => !gone.has(partsOf(from)[0]) && !gone.has(partsOf(to)[0])),
    outputs: graph.outputs.filter(({ from }) => !gone.has(partsOf(from)[0])),
  }
  known.set(graph, { types, rest })
  return rest
}

/** Those that are missing, and all that must read what they give. */
const goneWith = ({ nodes, edges }: GraphDraft, types: NodeTypes): ReadonlySet<string> => {
  const typeOf = new Map(nodes.map(({ id, type }) => [id, type]))
  const gone = new Set(nodes.flatMap(({ id, type }) => (isMissing(type, types) ? id : [])))
  // a Set hands out what is added on the way
  for (const id of gone)
    for (const { from, to } of edges) {
      const [reader, port] = partsOf(to)
      if (partsOf(from)[0] !== id) continue
      const type = typeOf.get(reader)
      const is = type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
      if (!is?.inputs.find(({ name }) => name === port)?.optional) gone.add(reader)
    }
  return gone
}
