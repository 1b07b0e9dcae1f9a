// The pixels that travel along the edges of a graph, and where they are others than those that a port takes.
import type { Finding, Patch } from './diagnostic.ts'
import { type Formats, type GraphIndex, inWords, type Node, type Wire } from './graph-index.ts'
import { type ImageFormat, isConverted, takes } from './kinds.ts'
import { onlyGiver } from './open-input.ts'
import { withEdge } from './patches.ts'

/** order: the nodes, each behind what it reads. */
export const readFormats = (
  index: GraphIndex,
  order: readonly Node[],
): { readonly formats: Formats; readonly findings: readonly Finding[] } => {
  const formats = new Map<string, ImageFormat>()
  const findings: Finding[] = []
  for (const node of order) {
    for (const { name, format } of node.is.inputs) {
      const wire = index.wires.get(`${node.id}.${name}`)
      const given = wire && formats.get(wire.from.name)
      if (!wire || !given || takes(format, given) || isConverted(format, given)) continue
      findings.push(otherFormat(index, formats, wire, given))
    }
    for (const { name, kind, format } of node.is.outputs) {
      const given = kind !== 'image' ? undefined : format === 'same' ? firstFormat(index, formats, node) : format
      if (given && given !== 'any') formats.set(`${node.id}.${name}`, given)
    }
  }
  return { formats, findings }
}

/** What a port of `same` gives: the pixels that arrive at the first input of its node; grey when that is left open. */
const firstFormat = ({ wires, claimed }: GraphIndex, formats: Formats, { id, is }: Node): ImageFormat | undefined => {
  const [first] = is.inputs
  const ref = `${id}.${first?.name}`
  const wire = wires.get(ref)
  if (!wire) return claimed.has(ref) ? undefined : 'gray'
  const given = formats.get(wire.from.name)
  return isConverted(first?.format, given) ? 'gray' : given
}

const otherFormat = (index: GraphIndex, formats: Formats, wire: Wire, given: ImageFormat): Finding => {
  const { from, to } = wire
  const wayOut =
    to.port.format === 'colour' ? "take it from the source's output colour" : 'put a node that makes some between them'
  return {
    ...{ code: 'edge.other_format', node: to.node.id, port: to.port.name },
    ...{ of: 'the end of an edge', pointer: `/edges/${wire.index}/to` },
    message: `is ${to.name}, which takes ${inWords(to.port)}, but ${from.name} gives ${inWords({ kind: 'image', format: given })}; ${wayOut}`,
    fix: () => {
      const inColour = to.port.format === 'colour' ? fromColour(index, wire) : null
      if (inColour) return inColour
      const giver = onlyGiver(index, formats, to)
      return giver === undefined ? null : withEdge(index.graph, wire.index, 'from', giver)
    },
  }
}

/** The grey of the source, however it was cut and scaled on the way, taken in colour instead. */
const fromColour = ({ graph, wires }: GraphIndex, wire: Wire): Patch | null => {
  const passed = new Set<Node>()
  for (let at: Wire | undefined = wire; at; ) {
    const { node, port } = at.from
    if (node.type === 'source') return withEdge(graph, at.index, 'from', `${node.id}.colour`)
    if (port.format !== 'same' || passed.has(node)) return null
    passed.add(node)
    at = wires.get(`${node.id}.${node.is.inputs[0]?.name}`)
    if (at?.to.port.format !== 'any') return null
  }
  return null
}
