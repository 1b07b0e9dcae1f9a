// A pipeline as the editor changes it: each change makes another graph of one, and touches nothing else.
import type { Documents } from '../../api/documents.ts'

export type Graph = Documents['GraphDraft']
export type GraphNode = Documents['GraphNode']
export type Edge = Documents['GraphEdge']
export type Params = Readonly<Record<string, unknown>>
export type Place = Documents['NodePlace']
/** A type of node, as the registry has it. */
export type NodeType = Documents['RegisteredNode']
/** Types of nodes by their name. */
export type NodeTypes = ReadonlyMap<string, NodeType>

/** A graph without a node. */
export const EMPTY_GRAPH: Graph = { nodes: [], edges: [], outputs: [] }

/** `tags.detections`. */
export const refOf = (node: string, port: string): string => `${node}.${port}`

/** The node and the port that a reference names. */
export const partsOf = (ref: string): { readonly node: string; readonly port: string } => {
  const dot = ref.indexOf('.')
  return { node: ref.slice(0, dot), port: ref.slice(dot + 1) }
}

export const nodeOf = ({ nodes }: Graph, id: string): GraphNode | undefined => nodes.find((node) => node.id === id)

/** The parameters of a node, those that are left out with their default. */
export const paramsOf = ({ type, params }: GraphNode, types: NodeTypes): Params => ({
  ...defaultsOf(types.get(type)),
  ...params,
})

/** The defaults of a type of node. */
export const defaultsOf = (type: NodeType | undefined): Params => {
  const properties = (type?.params.properties ?? {}) as Readonly<Record<string, { readonly default?: unknown }>>
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, schema]) =>
      schema.default === undefined ? [] : [[key, schema.default]],
    ),
  )
}

/** A graph with one more node, and the id that this got. */
export const withNode = (graph: Graph, type: string, place: Place): { readonly graph: Graph; readonly id: string } => {
  const id = freeId(
    type,
    graph.nodes.map((node) => node.id),
  )
  return { graph: withPlaces({ ...graph, nodes: [...graph.nodes, { id, type }] }, { [id]: place }), id }
}

/** An id for a node that is not taken. Of the type of a plugin it is what stands behind the plugin's name. */
export const freeId = (type: string, taken: readonly string[]): string => {
  const base = type
    .slice(type.lastIndexOf('.') + 1)
    .replaceAll('-', '_')
    .slice(0, 36)
  let id = base
  for (let n = 2; taken.includes(id); n += 1) id = `${base}_${n}`
  return id
}

/** A graph without a node, its edges and its outputs. */
export const withoutNode = (graph: Graph, id: string): Graph => {
  const isOf = (ref: string) => partsOf(ref).node === id
  const { [id]: _, ...layout } = graph.layout ?? {}
  return {
    ...graph,
    nodes: graph.nodes.filter((node) => node.id !== id),
    edges: graph.edges.filter(({ from, to }) => !isOf(from) && !isOf(to)),
    outputs: graph.outputs.filter(({ from }) => !isOf(from)),
    ...(graph.layout && { layout }),
  }
}

/** A graph in which a node has another id. */
export const withOtherId = (graph: Graph, before: string, id: string): Graph => {
  const renamed = (ref: string) => {
    const { node, port } = partsOf(ref)
    return node === before ? refOf(id, port) : ref
  }
  const { [before]: place, ...layout } = graph.layout ?? {}
  return {
    ...graph,
    nodes: graph.nodes.map((node) => (node.id === before ? { ...node, id } : node)),
    edges: graph.edges.map(({ from, to }) => ({ from: renamed(from), to: renamed(to) })),
    outputs: graph.outputs.map(({ port, from }) => ({ port, from: renamed(from) })),
    ...(graph.layout && { layout: place ? { ...layout, [id]: place } : layout }),
  }
}

export const withParams = (graph: Graph, id: string, params: Params): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? { ...node, params: { ...params } } : node)),
})

/** A graph with an edge, in the place of the one that its input had. */
export const withEdge = (graph: Graph, from: string, to: string): Graph => ({
  ...graph,
  edges: [...graph.edges.filter((edge) => edge.to !== to), { from, to }],
})

export const withoutEdge = (graph: Graph, { from, to }: Edge): Graph => ({
  ...graph,
  edges: graph.edges.filter((edge) => edge.from !== from || edge.to !== to),
})

/** A graph with an output of a name; from: null: without it. */
export const withOutput = (graph: Graph, port: string, from: string | null): Graph => {
  const others = graph.outputs.filter((output) => output.port !== port)
  return { ...graph, outputs: from === null ? others : [...others, { port, from }] }
}

/** A name for an output that is not taken. */
export const freeOutput = ({ outputs }: Graph, base: string): string =>
  freeId(
    base,
    outputs.map(({ port }) => port),
  )

export const withPlaces = (graph: Graph, places: Readonly<Record<string, Place>>): Graph => ({
  ...graph,
  layout: { ...graph.layout, ...places },
})

/** The ids of nodes so that each stands behind those that it reads; what goes round in a circle stands last. */
export const inOrder = ({ nodes, edges }: Graph): readonly string[] => {
  const done: string[] = []
  let rest = nodes.map(({ id }) => id)
  while (rest.length > 0) {
    const waits = (id: string) =>
      edges.some(({ from, to }) => partsOf(to).node === id && rest.includes(partsOf(from).node))
    const ready = rest.filter((id) => !waits(id))
    if (ready.length === 0) return [...done, ...rest]
    done.push(...ready)
    rest = rest.filter((id) => !ready.includes(id))
  }
  return done
}

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, ordered(each)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether two values say the same, whatever the order of their keys. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))

const computed = (graph: Graph, types: NodeTypes) => ({
  nodes: graph.nodes.map((node) => ({ ...node, params: paramsOf(node, types) })),
  edges: graph.edges.map(({ from, to }) => `${from} ${to}`).toSorted(),
  outputs: graph.outputs.map(({ port, from }) => `${port} ${from}`).toSorted(),
})

/** Whether two graphs compute the same, with the same names. */
export const doesSame = (a: Graph, b: Graph, types: NodeTypes): boolean =>
  a === b || isSameValue(computed(a, types), computed(b, types))

const places = ({ nodes, layout = {} }: Graph) => Object.fromEntries(nodes.map(({ id }) => [id, layout[id] ?? null]))

/** Whether two graphs are the same to their user: what they compute, their name, and where their nodes stand. */
export const isSameGraph = (a: Graph, b: Graph, types: NodeTypes): boolean =>
  a === b || (doesSame(a, b, types) && a.name === b.name && isSameValue(places(a), places(b)))

/** One thing in which two graphs differ. */
export interface Difference {
  /** `tags`, `tags, decimate`, `gray.image to tags.image`. */
  readonly what: string
  /** Each as a text; undefined: not there. */
  readonly theirs: string | undefined
  readonly mine: string | undefined
}

/** What two graphs differ in, apart from places. */
export const differencesOf = (theirs: Graph, mine: Graph, types: NodeTypes): readonly Difference[] => {
  const ids = [...new Set([...theirs.nodes, ...mine.nodes].map(({ id }) => id))]
  const ofNodes = ids.flatMap((id): readonly Difference[] => {
    const [a, b] = [nodeOf(theirs, id), nodeOf(mine, id)]
    if (!a || !b || a.type !== b.type) return [{ what: id, theirs: a?.type, mine: b?.type }]
    return ofValues(id, paramsOf(a, types), paramsOf(b, types))
  })
  const ofLists = (what: (ref: string) => string, a: readonly string[], b: readonly string[]) => [
    ...a.filter((each) => !b.includes(each)).map((each) => ({ what: what(each), theirs: 'there', mine: undefined })),
    ...b.filter((each) => !a.includes(each)).map((each) => ({ what: what(each), theirs: undefined, mine: 'there' })),
  ]
  const edges = ({ edges }: Graph) => edges.map(({ from, to }) => `${from} to ${to}`)
  const outputs = ({ outputs }: Graph) => outputs.map(({ port, from }) => `${port} from ${from}`)
  return [
    ...(theirs.name === mine.name ? [] : [{ what: 'name', theirs: theirs.name, mine: mine.name }]),
    ...ofNodes,
    ...ofLists((ref) => `wire ${ref}`, edges(theirs), edges(mine)),
    ...ofLists((ref) => `output ${ref}`, outputs(theirs), outputs(mine)),
  ]
}

const ofValues = (id: string, theirs: Params, mine: Params): readonly Difference[] =>
  [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]
    .filter((key) => !isSameValue(theirs[key], mine[key]))
    .map((key) => ({ what: `${id}, ${key}`, theirs: shortText(theirs[key]), mine: shortText(mine[key]) }))

const SHORT = 60

const shortText = (value: unknown): string | undefined => {
  const text = JSON.stringify(value)
  return text !== undefined && text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
}
