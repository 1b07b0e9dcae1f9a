// The pixels that travel along the edges of a graph, and where they are others than those that a port takes.

import { oneLine } from '../../schema/one-line.ts'
import { onlyGiver } from '../checks/open-input.ts'
import type { Finding, Patch } from '../diagnostic.ts'
import { type ImageFormat, isConverted, takes } from '../kinds.ts'
import type { NodeType } from '../node-type.ts'
import {
  type End,
  type Formats,
  formatOf,
  type GraphIndex,
  inWords,
  type Node,
  type Wire,
} from '../reading/graph-index.ts'
import { withEdge } from '../reading/patches.ts'

/** order: the nodes, each behind what it reads. */
export const readFormats = (
  index: GraphIndex,
  order: readonly Node[],
): { readonly formats: Formats; readonly findings: readonly Finding[] } => {
  const formats: (readonly (ImageFormat | undefined)[])[] = []
  const findings: Finding[] = []
  for (const node of order) {
    for (const wire of node.wires) {
      const given = wire && formatOf(formats, wire.from)
      if (!given || takes(wire.to.port.format, given) || isConverted(wire.to.port.format, given)) continue
      findings.push(otherFormat(index, formats, wire, given))
    }
    formats[node.index] = given(node.is, firstFormat(formats, node))
  }
  return { formats, findings }
}

/** The pixels of each output of a type. first: what arrives at its first input. */
const given = ({ outputs }: NodeType, first: ImageFormat | undefined): readonly (ImageFormat | undefined)[] =>
  outputs.map(({ kind, format }) => {
    if (kind !== 'image' || format === 'any') return undefined
    return format === 'same' ? first : format
  })

/**
 * What a port of `same` gives: the pixels that arrive at the first input of its node. Nobody knows them where nothing
 * does.
 */
const firstFormat = (formats: Formats, { is, wires }: Node): ImageFormat | undefined => {
  const [wire] = wires
  const arrives = wire ? formatOf(formats, wire.from) : undefined
  return isConverted(is.inputs[0]?.format, arrives) ? 'gray' : arrives
}

const otherFormat = (index: GraphIndex, formats: Formats, wire: Wire, given: ImageFormat): Finding => {
  const { from, to } = wire
  const wayOut =
    to.port.format === 'colour' ? "take it from the source's output colour" : 'put a node that makes some between them'
  return {
    code: 'edge.other_format',
    node: to.node.id,
    port: to.port.name,
    of: 'the end of an edge',
    pointer: `/edges/${wire.index}/to`,
    message: oneLine`
      is ${to.name}, which takes ${inWords(to.port)}, but ${from.name} gives
      ${inWords({ kind: 'image', format: given })}; ${wayOut}
    `,
    fix: () => {
      const inColour = to.port.format === 'colour' ? fromColour(index, wire) : null
      if (inColour) return inColour
      const giver = onlyGiver(index, formats, to)
      return giver === undefined ? null : withEdge(index.graph, wire.index, 'from', giver)
    },
  }
}

/** The grey of the source, however it was cut and scaled on the way, taken in colour instead. */
const fromColour = ({ graph }: GraphIndex, wire: Wire): Patch | null => {
  const passed = new Set<Node>()
  for (let at: Wire | null | undefined = wire; at; ) {
    const { node, port }: End = at.from
    if (node.type === 'source') return withEdge(graph, at.index, 'from', `${node.id}.colour`)
    if (port.format !== 'same' || passed.has(node)) return null
    passed.add(node)
    at = node.wires[0]
    if (at?.to.port.format !== 'any') return null
  }
  return null
}
