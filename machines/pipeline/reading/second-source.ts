// A graph has one camera. One who draws the source twice means the same pictures.
import type { Finding, PatchOperation } from '../diagnostic.ts'
import type { GraphDraft } from '../graph.ts'
import { partsOf } from './graph-index.ts'
import { limitPatch, withEdge, withOutput, withoutNodes } from './patches.ts'

/** first, index: of the two nodes in the document. */
export const secondSource = (
  graph: GraphDraft,
  { first, index }: { readonly first: number; readonly index: number },
): Finding => {
  const { id = '' } = graph.nodes[index] ?? {}
  return {
    code: 'source.second',
    node: id,
    of: `the type of ${id}`,
    pointer: `/nodes/${index}/type`,
    message: 'is a second source; a graph has exactly one',
    fix: () => {
      if (!isNamed(graph, index)) return withoutNodes(graph, [index], []) // its readers mean the earlier one of its id
      if (!isNamed(graph, first)) return null
      const gone = withoutNodes(graph, [index], edgesTo(graph, id))
      return gone && limitPatch([...readersMoved(graph, id, graph.nodes[first]?.id ?? ''), ...gone])
    },
  }
}

/** Whether a node is the one that its id names. */
const isNamed = ({ nodes }: GraphDraft, index: number): boolean =>
  nodes.findIndex(({ id }) => id === nodes[index]?.id) === index

const isOf = (ref: string, id: string): boolean => partsOf(ref)[0] === id

/** A source has no inputs: they can only be wrong. */
const edgesTo = ({ edges }: GraphDraft, id: string): readonly number[] =>
  edges.flatMap(({ to }, n) => (isOf(to, id) ? [n] : []))

/** The readers of the second one read the first instead. */
const readersMoved = (graph: GraphDraft, id: string, to: string): readonly PatchOperation[] => {
  const moved = (ref: string) => `${to}.${partsOf(ref)[1]}`
  return [
    ...graph.edges.flatMap(({ from, to }, n) =>
      isOf(from, id) && !isOf(to, id) ? withEdge(graph, n, 'from', moved(from)) : [],
    ),
    ...graph.outputs.flatMap(({ from }, n) => (isOf(from, id) ? withOutput(graph, n, 'from', moved(from)) : [])),
  ]
}
