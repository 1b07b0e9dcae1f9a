// Reads a graph document: names resolved, parameters filled in, and what is wrong with each node, edge and output by itself.
import { filled } from '../schema/defaults.ts'
import { schemaErrors } from '../schema/errors.ts'
import { quote } from '../schema/quote.ts'
import type { Finding } from './diagnostic.ts'
import type { GraphDraft } from './graph.ts'
import { type End, type GraphIndex, type Node, type Output, partsOf, type Side, type Wire } from './graph-index.ts'
import type { PortKind } from './kinds.ts'
import { paramFinding } from './param-finding.ts'
import { freeName, withEdge, withMore, withNode, withOutput, withoutEdges, withoutOutput } from './patches.ts'
import { nodeTypes } from './registry.ts'
import { secondSource } from './second-source.ts'

/** The engine adds outputs of these names to what a synthetic camera gives. */
const RESERVED_OUTPUTS = ['truth', 'visible']

/** Reads all of a graph that has passed its schema. What only shows when its parts are seen together is not looked for. */
export const readGraph = (graph: GraphDraft): { readonly index: GraphIndex; readonly findings: readonly Finding[] } => {
  const reader = new Reader(graph)
  reader.readNodes()
  reader.readEdges()
  reader.readOutputs()
  return { index: reader, findings: reader.findings }
}

class Reader implements GraphIndex {
  readonly findings: Finding[] = []
  readonly nodes = new Map<string, Node>()
  readonly ids = new Set<string>()
  readonly wires = new Map<string, Wire>()
  readonly leaving = new Map<string, Wire[]>()
  readonly claimed = new Set<string>()
  readonly outputs: Output[] = []
  readonly graph: GraphDraft

  constructor(graph: GraphDraft) {
    this.graph = graph
  }

  readNodes(): void {
    const { graph, ids, nodes, findings } = this
    const sources: number[] = []
    for (const [index, { id, type, params = {} }] of graph.nodes.entries()) {
      const pointer = `/nodes/${index}`
      const isFirst = !ids.has(id)
      ids.add(id)
      if (!isFirst) findings.push(this.#takenId(index, id))
      if (type === 'source') sources.push(index)
      const is = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined
      if (!is) {
        findings.push(this.#unknownType(index, id, type))
        continue
      }
      const whole = filled(is.params, params) as Record<string, unknown>
      const wrong = schemaErrors(is.params, whole)
      for (const error of wrong) findings.push(paramFinding(graph, { id, index, is }, error))
      const refused = wrong.length === 0 ? is.refusal?.(whole) : undefined
      if (refused) findings.push(paramFinding(graph, { id, index, is }, { ...refused, pointer: `/${refused.param}` }))
      if (isFirst) nodes.set(id, { id, type, params: whole, is, index, pointer })
    }
    const [first, ...more] = sources
    if (first === undefined) findings.push(this.#noSource())
    else for (const index of more) findings.push(secondSource(graph, { first, index }))
  }

  readEdges(): void {
    for (const [index, edge] of this.graph.edges.entries()) {
      const from = this.#endOf(edge.from, 'outputs')
      const to = this.#endOf(edge.to, 'inputs')
      if (!from) this.#lostEnd(index, 'from', to)
      if (!to) this.#lostEnd(index, 'to', from)
      const isTaken = this.claimed.has(edge.to)
      if (isTaken) this.findings.push(this.#takenInput(index))
      if (from && to) this.#connect({ index, from, to }, isTaken)
      this.claimed.add(edge.to)
    }
  }

  readOutputs(): void {
    const { graph, findings, outputs } = this
    const names = new Set<string>()
    const all = new Set(graph.outputs.map(({ port }) => port))
    for (const [index, { port, from }] of graph.outputs.entries()) {
      const at = { of: `the output ${port}`, pointer: `/outputs/${index}/port` }
      const renamed = () => withOutput(graph, index, 'port', freeName(port, all))
      if (names.has(port))
        findings.push({
          ...{ ...at, code: 'output.name_taken', fix: renamed },
          message: `is ${port}, the name of an earlier output; names are unique`,
        })
      if (RESERVED_OUTPUTS.includes(port))
        findings.push({
          ...{ ...at, code: 'output.name_reserved', fix: renamed },
          message: `is ${port}, which is kept for the synthetic camera; choose another name`,
        })
      names.add(port)
      const end = this.#endOf(from, 'outputs')
      if (!end) this.#lostOutput(index)
      else if (end.port.kind === 'image') findings.push(this.#imageOutput(index, end))
      else outputs.push({ port, from: end })
    }
  }

  #connect(wire: Wire, isTaken: boolean): void {
    const { from, to } = wire
    if (from.port.kind !== to.port.kind) this.findings.push(this.#otherKind(wire))
    else if (from.node === to.node) this.findings.push(this.#toItself(wire))
    else if (!isTaken) {
      this.wires.set(to.name, wire)
      const leaving = this.leaving.get(from.node.id)
      if (leaving) leaving.push(wire)
      else this.leaving.set(from.node.id, [wire])
    }
  }

  /** undefined: there is no such port. */
  #endOf(ref: string, side: Side): End | undefined {
    const [id, name] = partsOf(ref)
    const node = this.nodes.get(id)
    const port = node?.is[side].find((each) => each.name === name)
    return node && port && { name: ref, node, port }
  }

  #noSource(): Finding {
    const id = this.ids.has('source') ? freeName('source', this.ids) : 'source'
    return {
      ...{ code: 'source.missing', of: 'the graph', pointer: '/nodes' },
      message: 'has no node of type source; a graph has exactly one',
      fix: () => withMore(this.graph, 'nodes', { id, type: 'source' }),
    }
  }

  #takenId(index: number, id: string): Finding {
    return {
      ...{ code: 'node.id_taken', node: id, of: 'the id of a node', pointer: `/nodes/${index}/id` },
      message: `is ${id}, the id of an earlier node; ids are unique`,
      fix: () => withNode(this.graph, index, 'id', freeName(id, this.ids)),
    }
  }

  #unknownType(index: number, id: string, type: string): Finding {
    const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    return {
      ...{ code: 'node.type_unknown', node: id, of: `the type of ${id}`, pointer: `/nodes/${index}/type` },
      message: `is ${quote(type)}, which is no node type; there are ${Object.keys(nodeTypes).join(', ')}`,
      fix: () => {
        const alike = Object.keys(nodeTypes).find((each) => plain(each) === plain(type))
        return alike === undefined ? null : withNode(this.graph, index, 'type', alike)
      },
    }
  }

  #takenInput(index: number): Finding {
    const { to } = this.graph.edges[index] as { readonly to: string }
    const [node, port] = partsOf(to)
    return {
      ...{ code: 'edge.input_taken', node, port, of: 'the end of an edge', pointer: `/edges/${index}/to` },
      message: `is ${to}, which has an edge already; an input takes one`,
      fix: () => withoutEdges(this.graph, [index]),
    }
  }

  #toItself({ index, from, to }: Wire): Finding {
    const { id } = to.node
    return {
      ...{ code: 'edge.to_itself', node: id, port: to.port.name, of: 'an edge', pointer: `/edges/${index}` },
      message: `leads from a node to itself, ${from.node.id} > ${id}; take what comes before that node`,
      fix: () => withoutEdges(this.graph, [index]),
    }
  }

  #otherKind({ index, from, to }: Wire): Finding {
    return {
      ...{ code: 'edge.other_kind', node: to.node.id, port: to.port.name },
      ...{ of: 'the end of an edge', pointer: `/edges/${index}/to` },
      message: `is ${to.name}, which takes ${to.port.kind}, but ${from.name} gives ${from.port.kind}`,
      fix: () => {
        const input = this.#onlyPort(to.node, 'inputs', from.port.kind)
        if (input && from.node !== to.node) return withEdge(this.graph, index, 'to', input)
        const output = this.#onlyPort(from.node, 'outputs', to.port.kind)
        if (output && from.node !== to.node) return withEdge(this.graph, index, 'from', output)
        return withoutEdges(this.graph, [index])
      },
    }
  }

  #imageOutput(index: number, end: End): Finding {
    const { from, port } = this.graph.outputs[index] as { readonly from: string; readonly port: string }
    return {
      ...{ code: 'output.is_image', node: end.node.id, port: end.port.name },
      ...{ of: `the output ${port}`, pointer: `/outputs/${index}/from` },
      message: `is ${from}, which gives images; those leave the engine as previews, not as outputs`,
      fix: () => withoutOutput(this.graph, index),
    }
  }

  /** An end of an edge that is no port. Of a node that was refused already nothing more is said. other: the end that is one. */
  #lostEnd(index: number, end: 'from' | 'to', other: End | undefined): void {
    const side = end === 'from' ? 'outputs' : 'inputs'
    const { [end]: ref } = this.graph.edges[index] as { readonly from: string; readonly to: string }
    const lost = this.#lost(ref, side)
    if (!lost) return
    this.findings.push({
      ...{ ...lost.place, code: lost.node ? 'edge.port_unknown' : 'edge.node_unknown', message: lost.message },
      ...{ of: end === 'from' ? 'the beginning of an edge' : 'the end of an edge', pointer: `/edges/${index}/${end}` },
      fix: () => {
        const meant = lost.node && lost.node !== other?.node && this.#onlyPort(lost.node, side, other?.port.kind)
        return meant ? withEdge(this.graph, index, end, meant) : withoutEdges(this.graph, [index])
      },
    })
  }

  #lostOutput(index: number): void {
    const { from, port } = this.graph.outputs[index] as { readonly from: string; readonly port: string }
    const lost = this.#lost(from, 'outputs')
    if (!lost) return
    this.findings.push({
      ...{ ...lost.place, code: lost.node ? 'output.port_unknown' : 'output.node_unknown', message: lost.message },
      ...{ of: `the output ${port}`, pointer: `/outputs/${index}/from` },
      fix: () => {
        const meant = lost.node && this.#onlyPort(lost.node, 'outputs')
        return meant ? withOutput(this.graph, index, 'from', meant) : withoutOutput(this.graph, index)
      },
    })
  }

  /** What to say of a name that is no port; undefined of a node whose type is not known, which is said already. */
  #lost(ref: string, side: Side) {
    const [id, port] = partsOf(ref)
    const node = this.nodes.get(id)
    if (!node) {
      if (this.ids.has(id)) return undefined
      return { place: {}, node, message: `is ${ref}, which names no node; ${this.#someIds()}` }
    }
    const names = node.is[side].map(({ name }) => name).join(', ') || 'none'
    return {
      ...{ place: { node: id, port }, node },
      message: `is ${ref}, but ${node.type} has no ${side.slice(0, -1)} ${port}; it has ${names}`,
    }
  }

  #someIds(): string {
    const some = [...this.ids].slice(0, MOST_NAMED)
    const more = this.ids.size > some.length ? ` and ${this.ids.size - some.length} more` : ''
    return some.length > 0 ? `there are ${some.join(', ')}${more}` : 'there are none'
  }

  /** The one port of a node that is of the kind and, of inputs, has no edge; undefined when there is another number of them. kind: none said, any but images. */
  #onlyPort(node: Node, side: Side, kind?: PortKind): string | undefined {
    const [only, ...others] = node.is[side]
      .filter((port) => (kind === undefined ? side === 'inputs' || port.kind !== 'image' : port.kind === kind))
      .map(({ name }) => `${node.id}.${name}`)
      .filter((name) => side === 'outputs' || !this.claimed.has(name))
    return others.length === 0 ? only : undefined
  }
}

const MOST_NAMED = 20 // in one sentence
