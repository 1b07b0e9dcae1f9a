// Places for nodes: each behind those that it reads.
import dagre from '@dagrejs/dagre'
import { type Graph, type NodeType, type NodeTypes, type Place, partsOf } from './graph.ts'

/** How wide nodes are drawn. */
export const NODE_WIDTH = 176
const HEAD_HEIGHT = 48
const PORT_HEIGHT = 26
const FOOT_HEIGHT = 30

/** About how high a node is drawn. */
export const heightOf = (ports: number): number => HEAD_HEIGHT + ports * PORT_HEIGHT + FOOT_HEIGHT

const COLUMN_GAP = 52
const ROW_GAP = 24
const BAND_GAP = 64
const MAX_COLUMNS = 4 // what can be read beside the form on a laptop

const portsOf = ({ inputs = [], outputs = [] }: Partial<Pick<NodeType, 'inputs' | 'outputs'>> = {}): number =>
  Math.max(inputs.length, outputs.length)

/**
 * Places for all nodes, from left to right. What is longer than the page is wide goes on below, as lines of a text do.
 */
export const arranged = (graph: Graph, types: NodeTypes): Readonly<Record<string, Place>> => {
  const drawing = new dagre.graphlib.Graph({ multigraph: true })
  drawing.setGraph({ rankdir: 'LR', nodesep: ROW_GAP, ranksep: COLUMN_GAP })
  for (const { id, type } of graph.nodes)
    drawing.setNode(id, { width: NODE_WIDTH, height: heightOf(portsOf(types.get(type))) })
  for (const { from, to } of graph.edges) {
    const [source, target] = [partsOf(from).node, partsOf(to).node]
    if (drawing.hasNode(source) && drawing.hasNode(target)) drawing.setEdge(source, target, {}, `${from} ${to}`)
  }
  dagre.layout(drawing)
  const boxes = graph.nodes.map(({ id }) => {
    const { x, y, height } = drawing.node(id)
    return { id, column: Math.round(x / (NODE_WIDTH + COLUMN_GAP)), top: y - height / 2, bottom: y + height / 2 }
  })
  const columns = [...new Set(boxes.map(({ column }) => column))].toSorted((a, b) => a - b)
  const places: Record<string, Place> = {}
  let y = 0
  for (let first = 0; first < columns.length; first += MAX_COLUMNS) {
    const band = columns.slice(first, first + MAX_COLUMNS)
    const inBand = boxes.filter(({ column }) => band.includes(column))
    const top = Math.min(...inBand.map((box) => box.top))
    for (const { id, column, top: own } of inBand)
      places[id] = { x: band.indexOf(column) * (NODE_WIDTH + COLUMN_GAP), y: Math.round(y + own - top) }
    y += Math.max(...inBand.map(({ bottom }) => bottom)) - top + BAND_GAP
  }
  return places
}

/** Where each node is drawn: as its user has placed it, the others below. */
export const placesOf = (graph: Graph, types: NodeTypes): Readonly<Record<string, Place>> => {
  const known = graph.layout ?? {}
  const missing = graph.nodes.filter(({ id }) => !known[id])
  if (missing.length === 0) return known
  const made = arranged(graph, types)
  if (missing.length === graph.nodes.length) return made
  const below = Math.max(...Object.values(known).map(({ y }) => y)) + heightOf(4)
  return { ...known, ...Object.fromEntries(missing.map(({ id }, n) => [id, { x: n * (NODE_WIDTH + 40), y: below }])) }
}
