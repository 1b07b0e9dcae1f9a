// Graphs of any size, each of a shape that makes another part of the planner work. All of their nodes lead to an
// output.
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'

class Drawn {
  readonly #nodes: GraphDocument['nodes'][number][] = [{ id: 'camera', type: 'source' }]
  readonly #edges: GraphDocument['edges'][number][] = []

  get size(): number {
    return this.#nodes.length
  }

  /** inputs: each of its ports, and what it reads. Gives the id. */
  add(type: string, inputs: Readonly<Record<string, string>>, params?: Record<string, unknown>): string {
    const id = `${type}-${this.size}`
    this.#nodes.push({ id, type, ...(params && { params }) })
    for (const [port, from] of Object.entries(inputs)) this.#edges.push({ from, to: `${id}.${port}` })
    return id
  }

  /** from: of the only output. */
  done(from: string): GraphDocument {
    return { nodes: this.#nodes, edges: this.#edges, outputs: [{ port: 'found', from }] }
  }
}

/** Each reads the one before. */
export const chain = (size: number): GraphDocument => {
  const graph = new Drawn()
  let last = 'camera'
  while (graph.size < size - 1)
    last = graph.add('blur', { image: `${last}.image` }, { method: 'box', radius_px: 1 + (graph.size % 30) })
  return graph.done(`${graph.add('focus-metric', { image: `${last}.image` })}.focus`)
}

/** The same of nodes with many parameters, none of which is given. */
export const defaults = (size: number): GraphDocument => {
  const graph = new Drawn()
  const mask = graph.add('hsv-threshold', { image: 'camera.colour' })
  let last = graph.add('contours', { mask: `${mask}.mask` })
  while (graph.size < size) last = graph.add('contour-filter', { contours: `${last}.contours` })
  return graph.done(`${last}.contours`)
}

/**
 * The source feeds every other node, and those between make one picture of all. different: how many of the nodes that
 * it feeds differ, whose work is then done once for all alike.
 */
const fan = (size: number, different: number): GraphDocument => {
  const graph = new Drawn()
  let last = 'camera'
  while (graph.size < size - 1) {
    const hue_min_deg = graph.size % (2 * different)
    const mask = graph.add('hsv-threshold', { image: 'camera.colour' }, { hue_min_deg, hue_max_deg: 360 })
    if (graph.size < size - 1) last = graph.add('mask', { image: `${last}.image`, mask: `${mask}.mask` })
  }
  return graph.done(`${graph.add('focus-metric', { image: `${last}.image` })}.focus`)
}

/** One port is read by half of the nodes. */
export const wide = (size: number): GraphDocument => fan(size, 180)

/** Half of the nodes do what two others do as well. */
export const shared = (size: number): GraphDocument => fan(size, 1)
