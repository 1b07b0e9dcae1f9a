// A graph has one camera. One who draws the source twice means the same pictures.
import type { Finding, PatchOperation } from './diagnostic.ts'
import type { GraphDraft } from './graph.ts'
import { partsOf } from './graph-index.ts'
import { bounded, withEdge, withOutput, withoutNodes } from './patches.ts'

/** first, index: of the two nodes in the document. */
export const secondSource = (
  graph: GraphDraft,
  { first, index }: { readonly first: number; readonly index: number },
): Finding => {
  const { id = '' } = graph.nodes[index] ?? {}
  return {
    ...{ code: 'source.second', node: id, of: `the type of ${id}`, pointer: `/nodes/${index}/type` },
    message: 'is a second source; a graph has exactly one',
    fix: () => {
      const gone = withoutNodes(graph, [index], [])
      if (!gone) return null
      const isNamed = graph.nodes.findIndex((node) => node.id === id) === index // else its readers mean the earlier one of its id
      return bounded([...(isNamed ? readersMoved(graph, id, graph.nodes[first]?.id ?? '') : []), ...gone])
    },
  }
}

/** Whoever reads the second one reads the first. */
const readersMoved = (graph: GraphDraft, id: string, to: string): readonly PatchOperation[] => {
  const isOf = (ref: string) => partsOf(ref)[0] === id
  const moved = (ref: string) => `${to}.${partsOf(ref)[1]}`
  return [
    ...graph.edges.flatMap(({ from }, n) => (isOf(from) ? withEdge(graph, n, 'from', moved(from)) : [])),
    ...graph.outputs.flatMap(({ from }, n) => (isOf(from) ? withOutput(graph, n, 'from', moved(from)) : [])),
  ]
}
