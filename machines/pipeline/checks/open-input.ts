// Inputs to which nothing leads, and the port that could.
import type { Finding } from '../diagnostic.ts'
import { takes } from '../kinds.ts'
import type { PortType } from '../node-type.ts'
import { type End, type Formats, findDownstream, type GraphIndex, type Node } from '../reading/graph-index.ts'
import { withMore } from '../reading/patches.ts'

/** All inputs that must be connected and are not. */
export const openInputs = (index: GraphIndex, formats: Formats): readonly Finding[] => {
  const findings: Finding[] = []
  for (const node of index.nodes.values())
    for (let at = 0; at < node.wires.length; at++) {
      const port = node.is.inputs[at] as PortType
      if (node.wires[at] !== undefined || port.optional) continue
      findings.push(openInput(index, formats, { name: `${node.id}.${port.name}`, node, port, at }))
    }
  return findings
}

const openInput = (index: GraphIndex, formats: Formats, to: End): Finding => ({
  code: 'input.open',
  node: to.node.id,
  port: to.port.name,
  of: `the node ${to.node.id}`,
  pointer: to.node.pointer,
  message: `has an input ${to.port.name} that is not connected; lead an edge to it from an output of ${to.port.kind}`,
  fix: () => {
    const from = onlyGiver(index, formats, to)
    return from === undefined ? null : withMore(index.graph, 'edges', { from, to: to.name })
  },
})

/** With more candidates than these none is the obvious choice. */
const MAX_GIVERS = 8

/**
 * The only port that gives what an input takes, as it is and without closing a circle; undefined: there is none, or a
 * choice.
 */
export const onlyGiver = (index: GraphIndex, formats: Formats, to: End): string | undefined => {
  const givers = [...index.nodes.values()].flatMap((node) => givenBy(node, formats, to).map((name) => ({ node, name })))
  if (givers.length > MAX_GIVERS) return undefined
  const after = findDownstream(index, to.node)
  const [only, ...others] = givers.filter(({ node }) => !after?.has(node))
  return others.length === 0 ? only?.name : undefined
}

const givenBy = (node: Node, formats: Formats, { port }: End): readonly string[] =>
  node.is.outputs.flatMap(({ name, kind }, at) => {
    const given = formats[node.index]?.[at]
    const fits = kind === port.kind && (kind !== 'image' || (given !== undefined && takes(port.format, given)))
    return fits ? [`${node.id}.${name}`] : []
  })
