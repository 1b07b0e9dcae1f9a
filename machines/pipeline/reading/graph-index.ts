// A graph document with its names resolved: its nodes, and its edges between them. Made in one pass; every question is
// answered without another.
import type { GraphDraft, NodeDocument } from '../graph.ts'
import type { ImageFormat, PortFormat, PortKind } from '../kinds.ts'
import type { NodeType, PortType } from '../node-type.ts'

/** A node of a type that is known, with its parameters filled in. */
export interface Node extends NodeDocument {
  readonly params: Readonly<Record<string, unknown>>
  readonly is: NodeType
  /** Its place in the document. */
  readonly index: number
  readonly pointer: string
  /**
   * What leads to each of its inputs, in their order; undefined: no edge names it; null: one does, which leads nowhere.
   */
  readonly wires: readonly (Wire | null | undefined)[]
}

/** A port of a node. */
export interface End {
  /** `<node>.<port>`. */
  readonly name: string
  readonly node: Node
  readonly port: PortType
  /** Its place among the ports of its side. */
  readonly at: number
}

/** An edge between two ports that exist. index: its place in the document. */
export interface Wire {
  readonly index: number
  readonly from: End
  readonly to: End
}

/** An output and the port that it comes from. */
export interface Output {
  readonly port: string
  readonly from: End
}

export type Side = 'inputs' | 'outputs'

/** A graph as far as it could be read. */
export interface GraphIndex {
  readonly graph: GraphDraft
  /** Of a known type, by id, the first of each. */
  readonly nodes: ReadonlyMap<string, Node>
  /** Of all nodes, known or not. */
  readonly ids: ReadonlySet<string>
  /** Edges between ports that exist, the first to each input, by the node that they begin at. */
  readonly leaving: ReadonlyMap<Node, readonly Wire[]>
  readonly outputs: readonly Output[]
}

/**
 * The pixels of the outputs of each node, by its place in the document; none of other kinds, nor of a node that is fed
 * by something unknown.
 */
export type Formats = readonly (readonly (ImageFormat | undefined)[] | undefined)[]

/** The pixels that an output gives. */
export const formatOf = (formats: Formats, { node, at }: End): ImageFormat | undefined => formats[node.index]?.[at]

/** `tags.image` apart. */
export const partsOf = (ref: string): readonly [node: string, port: string] => {
  const dot = ref.indexOf('.')
  return [ref.slice(0, dot), ref.slice(dot + 1)]
}

/** The nodes that a node reads, each once. */
export const sourcesOf = ({ wires }: Node): readonly Node[] => {
  const sources: Node[] = []
  for (const wire of wires) if (wire && !sources.includes(wire.from.node)) sources.push(wire.from.node)
  return sources
}

/** The node, and all that read from it, directly or not. most: gives up, with undefined, when there are more. */
export const findDownstream = (
  { leaving }: GraphIndex,
  node: Node,
  most = Number.POSITIVE_INFINITY,
): Set<Node> | undefined => {
  const found = new Set([node])
  for (const each of found) {
    for (const { to } of leaving.get(each) ?? []) found.add(to.node) // a Set hands out what is added on the way
    if (found.size > most) return undefined
  }
  return found
}

/** Whether an edge between two nodes would close a circle, or is one. */
export const leadsBack = (index: GraphIndex, from: Node, to: Node): boolean =>
  findDownstream(index, to)?.has(from) === true

/** What a port takes or gives, in words. */
export const inWords = ({ kind, format }: { readonly kind: PortKind; readonly format?: PortFormat }): string => {
  if (kind !== 'image') return kind
  if (format === 'gray') return 'grey images'
  if (format === 'colour') return 'images in colour'
  return format === 'mask' ? 'masks' : 'images'
}
