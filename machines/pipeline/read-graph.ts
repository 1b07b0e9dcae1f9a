// Reads a graph document: names resolved, parameters filled in, and a pointer and a sentence for everything that is wrong.

import { filled } from '../schema/defaults.ts'
import { MAX_ERRORS, schemaErrors } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { quote } from '../schema/quote.ts'
import type { GraphDocument, NodeDocument } from './graph.ts'
import type { PortKind } from './kinds.ts'
import type { NodeType } from './node-type.ts'
import { nodeTypes } from './registry.ts'

/** A node with its parameters filled in, its type, and its place in the document. */
export interface Node extends NodeDocument {
  readonly params: Readonly<Record<string, unknown>>
  readonly is: NodeType
  readonly pointer: string
}

/** An end of an edge: a port of a node. */
export interface End {
  readonly node: string
  readonly port: string
  readonly kind: PortKind
}

/** An edge between two ports that exist. */
export interface Wire {
  readonly from: End
  readonly to: End
}

/** An output and the port it comes from. */
export interface Output {
  readonly port: string
  readonly from: End
}

/** A graph as far as it could be read; usable when there are no errors. */
export interface GraphRead {
  readonly nodes: readonly Node[]
  readonly wires: readonly Wire[]
  readonly outputs: readonly Output[]
  readonly errors: readonly SchemaError[]
}

/** The engine adds outputs of these names to what a synthetic camera gives. */
const RESERVED_OUTPUTS = ['truth', 'visible']

/** Reads all of a graph that has passed its schema. Circles are not looked for. */
export const readGraph = (graph: GraphDocument): GraphRead => {
  const errors: SchemaError[] = []
  const nodes = readNodes(graph, errors)
  const wires = readWires(graph, nodes, errors)
  const outputs = readOutputs(graph, nodes, errors)
  checkInputs(nodes, wires, errors)
  checkMemory([...nodes.values()], errors)
  return { nodes: [...nodes.values()], wires, outputs, errors: errors.slice(0, MAX_ERRORS) }
}

const readNodes = (graph: GraphDocument, errors: SchemaError[]): ReadonlyMap<string, Node> => {
  const nodes = new Map<string, Node>()
  for (const [index, { id, type, params = {} }] of graph.nodes.entries()) {
    const pointer = `/nodes/${index}`
    const is = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined
    if (nodes.has(id))
      errors.push({ pointer: `${pointer}/id`, message: `is ${id}, the id of an earlier node; ids are unique` })
    if (!is) {
      errors.push({
        pointer: `${pointer}/type`,
        message: `is ${quote(type)}, which is no node type; there are ${Object.keys(nodeTypes).join(', ')}`,
      })
      continue
    }
    const whole = filled(is.params, params) as Record<string, unknown>
    errors.push(...schemaErrors(is.params, whole, `${pointer}/params`))
    if (!nodes.has(id)) nodes.set(id, { id, type, params: whole, is, pointer })
  }
  const [first, ...more] = graph.nodes.flatMap(({ type }, index) => (type === 'source' ? [index] : []))
  if (first === undefined)
    errors.push({ pointer: '/nodes', message: 'has no node of type source; a graph has exactly one' })
  for (const index of more)
    errors.push({ pointer: `/nodes/${index}/type`, message: 'is a second source; a graph has exactly one' })
  return nodes
}

const readWires = (graph: GraphDocument, nodes: ReadonlyMap<string, Node>, errors: SchemaError[]): readonly Wire[] => {
  const wires: Wire[] = []
  const taken = new Set<string>()
  for (const [index, edge] of graph.edges.entries()) {
    const from = endOf(edge.from, 'outputs', `/edges/${index}/from`, nodes, errors)
    const to = endOf(edge.to, 'inputs', `/edges/${index}/to`, nodes, errors)
    if (taken.has(edge.to))
      errors.push({
        pointer: `/edges/${index}/to`,
        message: `is ${edge.to}, which has an edge already; an input takes one`,
      })
    taken.add(edge.to)
    if (!from || !to) continue
    if (from.kind !== to.kind)
      errors.push({
        pointer: `/edges/${index}/to`,
        message: `is ${edge.to}, which takes ${to.kind}, but ${edge.from} gives ${from.kind}`,
      })
    wires.push({ from, to })
  }
  return wires
}

const readOutputs = (
  graph: GraphDocument,
  nodes: ReadonlyMap<string, Node>,
  errors: SchemaError[],
): readonly Output[] => {
  const outputs: Output[] = []
  for (const [index, { port, from }] of graph.outputs.entries()) {
    const pointer = `/outputs/${index}`
    if (outputs.some((output) => output.port === port))
      errors.push({
        pointer: `${pointer}/port`,
        message: `is ${port}, the name of an earlier output; names are unique`,
      })
    if (RESERVED_OUTPUTS.includes(port))
      errors.push({
        pointer: `${pointer}/port`,
        message: `is ${port}, which is kept for the synthetic camera; choose another name`,
      })
    const end = endOf(from, 'outputs', `${pointer}/from`, nodes, errors)
    if (end?.kind === 'image')
      errors.push({
        pointer: `${pointer}/from`,
        message: `is ${from}, which gives images; those leave the engine as previews, not as outputs`,
      })
    if (end) outputs.push({ port, from: end })
  }
  return outputs
}

/** The end of an edge; undefined and an error when there is no such port, silently undefined when its node was refused already. */
const endOf = (
  ref: string,
  side: 'inputs' | 'outputs',
  pointer: string,
  nodes: ReadonlyMap<string, Node>,
  errors: SchemaError[],
): End | undefined => {
  const [id = '', port = ''] = ref.split('.')
  const node = nodes.get(id)
  if (!node) {
    errors.push({
      pointer,
      message: `is ${ref}, which names no usable node; there are ${[...nodes.keys()].join(', ')}`,
    })
    return undefined
  }
  const found = node.is[side].find(({ name }) => name === port)
  if (found) return { node: id, port, kind: found.kind }
  const names = node.is[side].map(({ name }) => name).join(', ') || 'none'
  errors.push({ pointer, message: `is ${ref}, but ${node.type} has no ${side.slice(0, -1)} ${port}; it has ${names}` })
  return undefined
}

/** Each keeps tables for decoding, 36 MB with three families and two bits to correct. */
const MOST_DETECTORS = 8

/** Pixels of all pictures that are made by scaling; a byte each, kept as long as the camera is open. */
const MOST_SCALED_PX = 64_000_000

/** What would not fit into the memory of a small device is refused here, where somebody can read why. */
const checkMemory = (nodes: readonly Node[], errors: SchemaError[]): void => {
  const [tooMany] = nodes.filter(({ type }) => type === 'apriltag').slice(MOST_DETECTORS)
  if (tooMany)
    errors.push({
      pointer: `${tooMany.pointer}/type`,
      message: `is one apriltag too many; a graph has at most ${MOST_DETECTORS}`,
    })
  let scaledPx = 0
  for (const { type, params, pointer } of nodes) {
    if (type === 'resize') scaledPx += Number(params.width_px) * Number(params.height_px)
    if (scaledPx <= MOST_SCALED_PX) continue
    errors.push({ pointer: `${pointer}/params`, message: 'makes the scaled pictures larger than 64 megapixels in all' })
    return
  }
}

const checkInputs = (nodes: ReadonlyMap<string, Node>, wires: readonly Wire[], errors: SchemaError[]): void => {
  for (const node of nodes.values())
    for (const { name, kind, optional } of node.is.inputs)
      if (!optional && !wires.some(({ to }) => to.node === node.id && to.port === name))
        errors.push({
          pointer: node.pointer,
          message: `has an input ${name} that is not connected; it takes ${kind}`,
        })
}
