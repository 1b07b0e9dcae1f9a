// Reads a graph document: names resolved, parameters filled in, and what is wrong with each node, edge and output by
// itself.

import { nearestName } from '../../schema/nearest-name.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'
import type { Finding } from '../diagnostic.ts'
import type { GraphDraft } from '../graph.ts'
import type { NodeTypes, PortType } from '../node-type.ts'
import { pluginOf } from '../plugin-step.ts'
import { GivenNames } from './given-names.ts'
import {
  type End,
  type GraphIndex,
  leadsBack,
  type Node,
  type Output,
  partsOf,
  type Side,
  type Wire,
} from './graph-index.ts'
import { paramFinding } from './param-finding.ts'
import { freeName, withEdge, withMore, withNode, withOutput, withoutEdges, withoutOutput } from './patches.ts'
import { secondSource } from './second-source.ts'
import { wholeParams } from './whole-params.ts'

/** The engine adds outputs of these names to what a synthetic camera gives. */
const RESERVED_OUTPUTS = ['truth', 'visible']

/**
 * Reads all of a graph that has passed its schema. What only shows when its parts are seen together is not looked for.
 * types: those that are known.
 */
export const readGraph = (
  graph: GraphDraft,
  types: NodeTypes,
): { readonly index: GraphIndex; readonly findings: readonly Finding[] } => {
  const reader = new Reader(graph, types)
  reader.readNodes()
  reader.readEdges()
  reader.readOutputs()
  return { index: reader, findings: reader.findings }
}

/** A node while its edges are being read. */
interface ReadNode extends Node {
  readonly wires: (Wire | null | undefined)[]
}

interface ReadEnd extends End {
  readonly node: ReadNode
}

class Reader implements GraphIndex {
  readonly findings: Finding[] = []
  readonly nodes = new Map<string, ReadNode>()
  readonly ids = new Set<string>()
  readonly outputs: Output[] = []
  /** Ends of edges that are no inputs. */
  readonly #lostInputs = new Set<string>()
  readonly #names = new GivenNames()
  #leaving: Map<Node, Wire[]> | undefined
  #guesses = 0
  #hasMisspeltSource = false
  readonly graph: GraphDraft
  readonly #types: NodeTypes

  constructor(graph: GraphDraft, types: NodeTypes) {
    this.graph = graph
    this.#types = types
  }

  readNodes(): void {
    const { graph, ids, nodes, findings } = this
    const sources: number[] = []
    for (const [index, { id, type, params }] of graph.nodes.entries()) {
      const pointer = `/nodes/${index}`
      const isFirst = !ids.has(id)
      ids.add(id)
      if (!isFirst) findings.push(this.#takenId(index, id))
      if (type === 'source') sources.push(index)
      const is = Object.hasOwn(this.#types, type) ? this.#types[type] : undefined
      if (!is) {
        const plugin = pluginOf(type)
        findings.push(plugin ? this.#missingPlugin(index, id, type, plugin) : this.#unknownType(index, id, type))
        continue
      }
      const { whole, errors } = wholeParams(is, params)
      for (const error of errors) findings.push(paramFinding(graph, { id, index, is }, error))
      if (!isFirst) continue
      const wires: ReadNode['wires'] = new Array(is.inputs.length).fill(undefined)
      nodes.set(id, { id, type, params: whole, is, index, pointer, wires })
    }
    const [first, ...more] = sources
    if (first !== undefined) for (const index of more) findings.push(secondSource(graph, { first, index }))
    else if (!this.#hasMisspeltSource) findings.push(this.#noSource())
  }

  readEdges(): void {
    for (const [index, edge] of this.graph.edges.entries()) {
      const from = this.#endOf(edge.from, 'outputs')
      const to = this.#endOf(edge.to, 'inputs')
      if (!from) this.#lostEnd(index, 'from', to)
      if (!to) this.#lostEnd(index, 'to', from)
      const isTaken = to ? to.node.wires[to.at] !== undefined : this.#lostInputs.has(edge.to)
      if (isTaken) this.findings.push(this.#takenInput(index))
      const isGood = from && to && this.#fits({ index, from, to })
      if (!to) this.#lostInputs.add(edge.to)
      else if (!isTaken) to.node.wires[to.at] = isGood ? { index, from, to } : null
    }
  }

  readOutputs(): void {
    const { graph, findings, outputs } = this
    const names = new Set<string>()
    const all = new Set(graph.outputs.map(({ port }) => port))
    const given = new GivenNames()
    for (const [index, { port, from }] of graph.outputs.entries()) {
      const at = { of: `the output ${port}`, pointer: `/outputs/${index}/port` }
      const renamed = given.fix(port, all, (free) => withOutput(graph, index, 'port', free))
      if (names.has(port))
        findings.push({
          ...at,
          code: 'output.name_taken',
          fix: renamed,
          message: `is ${port}, the name of an earlier output; names are unique`,
        })
      if (RESERVED_OUTPUTS.includes(port))
        findings.push({
          ...at,
          code: 'output.name_reserved',
          fix: renamed,
          message: `is ${port}, which is kept for the synthetic camera; choose another name`,
        })
      names.add(port)
      const end = this.#endOf(from, 'outputs')
      if (!end) this.#lostOutput(index)
      else outputs.push({ port, from: end })
    }
  }

  /** Few ask. */
  get leaving(): ReadonlyMap<Node, readonly Wire[]> {
    this.#leaving ??= Map.groupBy(
      [...this.nodes.values()].flatMap(({ wires }) => wires.flatMap((wire) => wire ?? [])),
      ({ from }) => from.node,
    )
    return this.#leaving
  }

  #fits(wire: Wire): boolean {
    const { from, to } = wire
    if (from.port.kind !== to.port.kind) this.findings.push(this.#otherKind(wire))
    else if (from.node === to.node) this.findings.push(this.#toItself(wire))
    else return true
    return false
  }

  /** undefined: there is no such port. */
  #endOf(ref: string, side: Side): ReadEnd | undefined {
    const dot = ref.indexOf('.')
    const node = this.nodes.get(ref.slice(0, dot))
    if (!node) return undefined
    const ports = node.is[side]
    const name = ref.slice(dot + 1)
    for (let at = 0; at < ports.length; at++) {
      const port = ports[at] as PortType
      if (port.name === name) return { name: ref, node, port, at }
    }
    return undefined
  }

  #noSource(): Finding {
    const id = this.ids.has('source') ? freeName('source', this.ids) : 'source'
    return {
      code: 'source.missing',
      of: 'the graph',
      pointer: '/nodes',
      message: 'has no node of type source; a graph has exactly one',
      fix: () => withMore(this.graph, 'nodes', { id, type: 'source' }),
    }
  }

  #takenId(index: number, id: string): Finding {
    return {
      code: 'node.id_taken',
      node: id,
      of: 'the id of a node',
      pointer: `/nodes/${index}/id`,
      message: `is ${id}, the id of an earlier node; ids are unique`,
      fix: this.#names.fix(id, this.ids, (free) => withNode(this.graph, index, 'id', free)),
    }
  }

  #unknownType(index: number, id: string, type: string): Finding {
    const types = Object.keys(this.#types)
    const meant = this.#meant(type, types)
    if (meant === 'source') this.#hasMisspeltSource = true
    return {
      code: 'node.type_unknown',
      node: id,
      of: `the type of ${id}`,
      pointer: `/nodes/${index}/type`,
      message: oneLine`
        is ${quote(type)}, which is no node type;
        ${meant === undefined ? `there are ${types.join(', ')}` : `perhaps ${meant} is meant`}
      `,
      fix: () => (meant === undefined ? null : withNode(this.graph, index, 'type', meant)),
    }
  }

  #missingPlugin(index: number, id: string, type: string, plugin: string): Finding {
    const others = Object.keys(this.#types).filter((each) => pluginOf(each) === plugin)
    return {
      code: 'node.plugin_missing',
      node: id,
      of: `the type of ${id}`,
      pointer: `/nodes/${index}/type`,
      message:
        others.length === 0
          ? oneLine`
              is ${quote(type)}, a node of the plugin ${plugin}, which is not enabled on this device; enable or install
              it, or remove the node
            `
          : oneLine`
              is ${quote(type)}, which the plugin ${plugin} does not bring; it brings ${others.join(', ')}. Install a
              version that does, or remove the node
            `,
    }
  }

  #takenInput(index: number): Finding {
    const { to } = this.graph.edges[index] as { readonly to: string }
    const [node, port] = partsOf(to)
    return {
      code: 'edge.input_taken',
      node,
      port,
      of: 'the end of an edge',
      pointer: `/edges/${index}/to`,
      message: `is ${to}, which has an edge already; an input takes one, so remove one of them`,
      fix: () => withoutEdges(this.graph, [index]),
    }
  }

  #toItself({ index, from, to }: Wire): Finding {
    const { id } = to.node
    return {
      code: 'edge.to_itself',
      node: id,
      port: to.port.name,
      of: 'an edge',
      pointer: `/edges/${index}`,
      message: `leads from a node to itself, ${from.node.id} > ${id}; take what comes before that node`,
      fix: () => withoutEdges(this.graph, [index]),
    }
  }

  #otherKind({ index, from, to }: Wire): Finding {
    return {
      code: 'edge.other_kind',
      node: to.node.id,
      port: to.port.name,
      of: 'the end of an edge',
      pointer: `/edges/${index}/to`,
      message: oneLine`
        is ${to.name}, which takes ${to.port.kind}, but ${from.name} gives ${from.port.kind}; an edge leads to what
        takes the same
      `,
      fix: () => {
        const input = this.#onlyPort(to.node, 'inputs', from.port)
        const output = this.#onlyPort(from.node, 'outputs', to.port)
        if ((!input && !output) || leadsBack(this, from.node, to.node)) return withoutEdges(this.graph, [index])
        return input ? withEdge(this.graph, index, 'to', input) : withEdge(this.graph, index, 'from', output as string)
      },
    }
  }

  /**
   * An end of an edge that is no port. Of a node that was refused already nothing more is said. other: the end that is
   * one.
   */
  #lostEnd(index: number, end: 'from' | 'to', other: End | undefined): void {
    const side = end === 'from' ? 'outputs' : 'inputs'
    const { [end]: ref } = this.graph.edges[index] as { readonly from: string; readonly to: string }
    const lost = this.#lost(ref, side)
    if (!lost) return
    this.findings.push({
      ...lost.place,
      code: lost.node ? 'edge.port_unknown' : 'edge.node_unknown',
      message: lost.message,
      of: end === 'from' ? 'the beginning of an edge' : 'the end of an edge',
      pointer: `/edges/${index}/${end}`,
      fix: () => {
        const meant = this.#meantPort(lost, side, other?.port)
        const [from, to] = end === 'from' ? [lost.meant, other?.node] : [other?.node, lost.meant]
        const isLoop = from && to && leadsBack(this, from, to)
        return meant && !isLoop ? withEdge(this.graph, index, end, meant) : withoutEdges(this.graph, [index])
      },
    })
  }

  #lostOutput(index: number): void {
    const { from, port } = this.graph.outputs[index] as { readonly from: string; readonly port: string }
    const lost = this.#lost(from, 'outputs')
    if (!lost) return
    this.findings.push({
      ...lost.place,
      code: lost.node ? 'output.port_unknown' : 'output.node_unknown',
      message: lost.message,
      of: `the output ${port}`,
      pointer: `/outputs/${index}/from`,
      fix: () => {
        const meant = this.#meantPort(lost, 'outputs')
        return meant ? withOutput(this.graph, index, 'from', meant) : withoutOutput(this.graph, index)
      },
    })
  }

  /** What to say of a name that is no port; undefined of a node whose type is not known, which is said already. */
  #lost(ref: string, side: Side): Lost | undefined {
    const [id, port] = partsOf(ref)
    const node = this.nodes.get(id)
    if (!node) {
      if (this.ids.has(id)) return undefined
      const meant = this.nodes.get(this.#meant(id, this.nodes.keys()) ?? '')
      const names = meant ? `perhaps ${meant.id} is meant` : this.#someIds()
      return { place: {}, node, meant, port, message: `is ${ref}, which names no node; ${names}` }
    }
    const names = node.is[side].map(({ name }) => name).join(', ') || 'none'
    return {
      place: { node: id, port },
      node,
      meant: node,
      port,
      message: `is ${ref}, but ${node.type} has no ${side.slice(0, -1)} ${port}; it has ${names}`,
    }
  }

  /**
   * The port that was meant: the one of that name, the only one that fits, or the one with nearly that name. like: the
   * port at the other end of the edge.
   */
  #meantPort({ meant, port: wanted }: Lost, side: Side, like?: PortType): string | undefined {
    if (!meant) return undefined
    const names = this.#fitting(meant, side, like).map(({ name }) => name)
    if (names.includes(wanted)) return `${meant.id}.${wanted}`
    const only = this.#onlyPort(meant, side, like)
    const alike = only === undefined ? this.#meant(wanted, names) : undefined
    return alike === undefined ? only : `${meant.id}.${alike}`
  }

  /** What a name probably means. Only for the first few: a graph of wrong names is not worth the time. */
  #meant(name: string, names: Iterable<string>): string | undefined {
    this.#guesses += 1
    return this.#guesses > MAX_GUESSES ? undefined : nearestName(name, names)
  }

  #someIds(): string {
    const some = [...this.ids].slice(0, MAX_NAMED)
    const more = this.ids.size > some.length ? ` and ${this.ids.size - some.length} more` : ''
    return some.length > 0 ? `there are ${some.join(', ')}${more}` : 'there are none'
  }

  /**
   * The one port of a node that is of the kind and, of inputs, has no edge; undefined when there is another number of
   * them. like: none said, any but images.
   */
  #onlyPort(node: Node, side: Side, like?: PortType): string | undefined {
    const fitting = this.#fitting(node, side, like)
    const isOneFormat = fitting.length > 1 && like?.format !== undefined
    const [only, ...others] = isOneFormat ? fitting.filter(({ format }) => format === like.format) : fitting
    return only && others.length === 0 ? `${node.id}.${only.name}` : undefined
  }

  #fitting({ is, wires }: Node, side: Side, like?: PortType): readonly PortType[] {
    return is[side].filter((port, at) => {
      if (side === 'inputs' && wires[at] !== undefined) return false
      return like === undefined ? side === 'inputs' || port.kind !== 'image' : port.kind === like.kind
    })
  }
}

/** A name that is no port. */
interface Lost {
  readonly place: Pick<Finding, 'node' | 'port'>
  /** That it names. */
  readonly node: ReadNode | undefined
  /** The same, or one with nearly that id. */
  readonly meant: ReadNode | undefined
  /** As it was named. */
  readonly port: string
  readonly message: string
}

const MAX_GUESSES = 32

const MAX_NAMED = 20 // in one sentence
