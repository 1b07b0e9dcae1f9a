// The order in which the nodes of a graph can run.
import type { Finding } from '../diagnostic.ts'
import { type GraphIndex, type Node, partsOf, sourcesOf } from '../reading/graph-index.ts'
import { withoutEdges } from '../reading/patches.ts'

/** Each names up to all nodes. */
const MAX_CIRCLES = 16

/**
 * Nodes behind what they read, the source first, otherwise in the order of the document. Those that stand in a circle,
 * or behind one, are missing from it.
 *
 * A walk against the edges, each of which is followed once; a node that is met while it is being left is a circle.
 */
export const sorted = (
  index: GraphIndex,
): { readonly order: readonly Node[]; readonly circles: readonly Finding[] } => {
  const order: Node[] = []
  const circles: Finding[] = []
  const states: ('open' | 'done' | 'stuck')[] = [] // by their places in the document
  const path: Node[] = []

  const visit = (node: Node): boolean => {
    const state = states[node.index]
    if (state === 'open' && circles.length < MAX_CIRCLES) circles.push(circleOf(index, path.slice(path.indexOf(node))))
    if (state) return state === 'done'
    states[node.index] = 'open'
    path.push(node)
    let isReady = true
    for (const source of sourcesOf(node)) isReady = visit(source) && isReady
    path.pop()
    states[node.index] = isReady ? 'done' : 'stuck'
    if (isReady) order.push(node)
    return isReady
  }

  for (const node of index.nodes.values()) if (node.type === 'source') visit(node)
  for (const node of index.nodes.values()) visit(node)
  return { order, circles }
}

/** walked: against the edges, from a node to what feeds it; the last one is fed by the first. */
const circleOf = ({ graph }: GraphIndex, walked: readonly Node[]): Finding => {
  const [first, ...rest] = walked as [Node, ...Node[]]
  const ids = [first, ...rest.toReversed(), first].map(({ id }) => id)
  const [from, to] = ids
  return {
    code: 'edge.circle',
    node: first.id,
    pointer: first.pointer,
    of: `the node ${first.id}`,
    message: `stands in a circle: ${ids.join(' > ')}; take one of these edges away`,
    fix: () => {
      const closing = graph.edges.flatMap((edge, index) =>
        partsOf(edge.from)[0] === from && partsOf(edge.to)[0] === to ? [index] : [],
      )
      return withoutEdges(graph, closing)
    },
  }
}
