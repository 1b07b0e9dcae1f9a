// A graph document with its names resolved: who is who, and what leads where. Made in one pass; every question is answered without another.
import type { GraphDraft, NodeDocument } from './graph.ts'
import type { ImageFormat, PortFormat, PortKind } from './kinds.ts'
import type { NodeType, PortType } from './node-type.ts'

/** A node of a type that is known, with its parameters filled in. index: its place in the document. */
export interface Node extends NodeDocument {
  readonly params: Readonly<Record<string, unknown>>
  readonly is: NodeType
  readonly index: number
  readonly pointer: string
}

/** A port of a node. name: `<node>.<port>`. */
export interface End {
  readonly name: string
  readonly node: Node
  readonly port: PortType
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

/**
 * A graph as far as it could be read.
 *
 * nodes: those of a known type by id, the first of each. ids: of all nodes, known or not. wires: edges between ports that exist, by the input that they end
 * at, the first of each. leaving: the same by the node that they begin at. claimed: inputs that any edge names.
 */
export interface GraphIndex {
  readonly graph: GraphDraft
  readonly nodes: ReadonlyMap<string, Node>
  readonly ids: ReadonlySet<string>
  readonly wires: ReadonlyMap<string, Wire>
  readonly leaving: ReadonlyMap<string, readonly Wire[]>
  readonly claimed: ReadonlySet<string>
  readonly outputs: readonly Output[]
}

/** The pixels of each output of kind image, by `<node>.<port>`; none of one whose node is fed by something unknown. */
export type Formats = ReadonlyMap<string, ImageFormat>

/** `tags.image` apart. */
export const partsOf = (ref: string): readonly [node: string, port: string] => {
  const dot = ref.indexOf('.')
  return [ref.slice(0, dot), ref.slice(dot + 1)]
}

/** The nodes that a node reads, each once. */
export const sourcesOf = ({ wires }: Pick<GraphIndex, 'wires'>, node: Node): readonly Node[] => [
  ...new Set(
    node.is.inputs.flatMap(({ name }) => {
      const wire = wires.get(`${node.id}.${name}`)
      return wire ? [wire.from.node] : []
    }),
  ),
]

/** The node, and all that lie behind it. most: gives up, with undefined, when there are more. */
export const behind = ({ leaving }: GraphIndex, node: Node, most = Number.POSITIVE_INFINITY): Set<Node> | undefined => {
  const found = new Set([node])
  for (const each of found) {
    for (const { to } of leaving.get(each.id) ?? []) found.add(to.node) // a Set hands out what is added on the way
    if (found.size > most) return undefined
  }
  return found
}

/** What a port takes or gives, in words. */
export const inWords = ({ kind, format }: { readonly kind: PortKind; readonly format?: PortFormat }): string => {
  if (kind !== 'image') return kind
  if (format === 'gray') return 'grey images'
  if (format === 'colour') return 'images in colour'
  return format === 'mask' ? 'masks' : 'images'
}
