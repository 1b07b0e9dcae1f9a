// A part of a pipeline, as it is copied: nodes with the wires between them, as a text that another page takes, too.
import { freeId, type Graph, type GraphNode, nodeOf, type Place, partsOf, refOf, withoutNode } from './graph.ts'

/** Nodes, the wires between them, and where they stand. */
export interface Fragment {
  readonly nodes: readonly GraphNode[]
  readonly edges: Graph['edges']
  readonly layout: Readonly<Record<string, Place>>
}

const BESIDE_PX = 40
const MAX_NODES = 64 // as many as a pipeline may have
const ID = /^[a-z][a-z0-9_-]{0,39}$/
const MARK = 'vedette_pipeline_nodes'

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value)

/** The named nodes of a graph. places: of all. */
export const fragmentOf = (
  graph: Graph,
  ids: readonly string[],
  places: Readonly<Record<string, Place>>,
): Fragment => ({
  nodes: ids.flatMap((id) => nodeOf(graph, id) ?? []),
  edges: graph.edges.filter(({ from, to }) => [from, to].every((ref) => ids.includes(partsOf(ref).node))),
  layout: Object.fromEntries(ids.flatMap((id) => (places[id] ? [[id, places[id]]] : []))),
})

/** As a text for the clipboard. */
export const fragmentText = (fragment: Fragment): string => JSON.stringify({ [MARK]: 1, ...fragment }, undefined, 2)

/** What such a text says; undefined: it is another one. */
export const fragmentIn = (text: string): Fragment | undefined => {
  if (!text.includes(MARK)) return undefined
  try {
    const { nodes, edges, layout = {} } = JSON.parse(text) as Partial<Fragment>
    const isFine =
      Array.isArray(nodes) &&
      Array.isArray(edges) &&
      nodes.length > 0 &&
      nodes.length <= MAX_NODES &&
      nodes.every((node) => isId(node?.id) && isId(node?.type)) &&
      edges.every(({ from, to }) => typeof from === 'string' && typeof to === 'string')
    return isFine ? { nodes, edges, layout: placesIn(layout) } : undefined
  } catch {
    return undefined
  }
}

const placesIn = (layout: Fragment['layout']): Fragment['layout'] =>
  Object.fromEntries(
    Object.entries(layout).filter(([, place]) => Number.isFinite(place?.x) && Number.isFinite(place?.y)),
  )

/**
 * A graph with the nodes of a fragment beside its own, and the ids that they got: those that are taken become others.
 * places: of all nodes of the graph.
 */
export const withFragment = (
  graph: Graph,
  { nodes, edges, layout }: Fragment,
  places: Readonly<Record<string, Place>>,
): { readonly graph: Graph; readonly ids: readonly string[] } => {
  const taken = graph.nodes.map(({ id }) => id)
  const names = new Map<string, string>()
  for (const { id } of nodes) {
    const free = freeId(id.replace(/_\d+$/, ''), taken)
    taken.push(free)
    names.set(id, free)
  }
  const renamed = (ref: string): string => {
    const { node, port } = partsOf(ref)
    return refOf(names.get(node) ?? node, port)
  }
  const isInside = (ref: string) => names.has(partsOf(ref).node)
  const by = freeStep(layout, Object.values(places))
  const moved = Object.entries(layout).flatMap(([id, { x, y }]) => {
    const name = names.get(id)
    return name === undefined ? [] : [[name, { x: x + by, y: y + by }] as const]
  })
  return {
    graph: {
      ...graph,
      nodes: [...graph.nodes, ...nodes.map((node) => ({ ...node, id: names.get(node.id) ?? node.id }))],
      edges: [
        ...graph.edges,
        ...edges
          .filter(({ from, to }) => isInside(from) && isInside(to))
          .map(({ from, to }) => ({ from: renamed(from), to: renamed(to) })),
      ],
      layout: { ...places, ...Object.fromEntries(moved) },
    },
    ids: [...names.values()],
  }
}

/** How far to the right and below there is no node yet just where one would come to stand. */
const freeStep = (layout: Fragment['layout'], others: readonly Place[]): number => {
  const isTaken = (by: number) =>
    Object.values(layout).some(({ x, y }) => others.some((other) => other.x === x + by && other.y === y + by))
  let by = 0
  while (isTaken(by)) by += BESIDE_PX
  return by
}

/** A graph without some nodes, their edges and their outputs. */
export const withoutNodes = (graph: Graph, ids: readonly string[]): Graph => ids.reduce(withoutNode, graph)
