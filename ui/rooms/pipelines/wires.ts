// Which wires fit: kinds and formats of ports, and why one is refused.
import type { Documents } from '../../api/documents.ts'
import { type Graph, type NodeTypes, nodeOf, partsOf, refOf } from './graph.ts'

/** A port of a type of node. */
export type Port = Documents['NodePort']
type Format = NonNullable<Port['format']>

/** How a port is shown: a letter and the name of a colour, of which neither stands alone. */
export interface PortMark {
  readonly letter: string
  /** The end of the name of a token of pipelines.css. */
  readonly colour: string
  /** What it is in words: `grey picture`. */
  readonly word: string
}

const KINDS: Readonly<Record<string, PortMark>> = {
  detections: { letter: 'D', colour: 'tags', word: 'detections' },
  points: { letter: 'P', colour: 'tags', word: 'points' },
  tag_poses: { letter: 'T', colour: 'poses', word: 'tag poses' },
  field_pose: { letter: 'F', colour: 'poses', word: 'field pose' },
  contours: { letter: 'O', colour: 'outlines', word: 'contours' },
  targets: { letter: 'A', colour: 'outlines', word: 'targets' },
  circles: { letter: 'R', colour: 'outlines', word: 'circles' },
  objects: { letter: 'B', colour: 'things', word: 'objects' },
  classes: { letter: 'L', colour: 'things', word: 'classes' },
  barcodes: { letter: 'Q', colour: 'things', word: 'barcodes' },
  exposure: { letter: 'E', colour: 'values', word: 'exposure' },
  focus: { letter: 'S', colour: 'values', word: 'focus' },
  values: { letter: 'V', colour: 'values', word: 'values' },
}

const PICTURES: Readonly<Record<Format, PortMark>> = {
  gray: { letter: 'G', colour: 'gray', word: 'grey picture' },
  colour: { letter: 'C', colour: 'colour', word: 'colour picture' },
  mask: { letter: 'M', colour: 'mask', word: 'mask' },
  any: { letter: 'I', colour: 'gray', word: 'picture' },
  same: { letter: 'I', colour: 'gray', word: 'picture' },
}

/** How a port is shown. format: what is really in it, where that is known. */
export const markOf = ({ kind, format }: Port, real = format): PortMark =>
  kind === 'image'
    ? PICTURES[real ?? 'any']
    : (KINDS[kind] ?? { letter: '?', colour: 'values', word: kind.replaceAll('_', ' ') })

export const outputPort = (graph: Graph, types: NodeTypes, ref: string): Port | undefined =>
  portOf(graph, types, ref, 'outputs')
export const inputPort = (graph: Graph, types: NodeTypes, ref: string): Port | undefined =>
  portOf(graph, types, ref, 'inputs')

const portOf = (graph: Graph, types: NodeTypes, ref: string, side: 'inputs' | 'outputs'): Port | undefined => {
  const { node, port } = partsOf(ref)
  return types.get(nodeOf(graph, node)?.type ?? '')?.[side].find(({ name }) => name === port)
}

/** The format of the pictures of an output: that of the first input of its node, where it says so. */
export const formatOf = (graph: Graph, types: NodeTypes, ref: string, depth = 0): Format | undefined => {
  const port = outputPort(graph, types, ref)
  if (port?.format !== 'same') return port?.format
  const { node } = partsOf(ref)
  const first = types.get(nodeOf(graph, node)?.type ?? '')?.inputs[0]
  const edge = graph.edges.find(({ to }) => to === refOf(node, first?.name ?? ''))
  return edge && depth < graph.nodes.length ? formatOf(graph, types, edge.from, depth + 1) : undefined
}

/** Why an output cannot be led to an input; undefined: it can. */
export const whyNot = (graph: Graph, types: NodeTypes, from: string, to: string): string | undefined => {
  const [given, wanted] = [outputPort(graph, types, from), inputPort(graph, types, to)]
  if (!given) return `There is no output ${from}.`
  if (!wanted) return `There is no input ${to}.`
  const [source, target] = [partsOf(from).node, partsOf(to).node]
  if (source === target) return `${source} cannot read what it makes itself.`
  if (given.kind !== wanted.kind) return `${from} gives ${markOf(given).word}, but ${to} takes ${markOf(wanted).word}.`
  const format = formatOf(graph, types, from)
  if (given.kind === 'image' && !takes(wanted.format, format))
    return `${from} gives a ${markOf(given, format).word}, but ${to} takes a ${markOf(wanted).word}.`
  if (leadsTo(graph, target, source)) return `${source} already reads what comes of ${target}: that would be a circle.`
  return undefined
}

/** A gray input takes all: the planner makes grey of colour. Of what is not known yet everything may come. */
const takes = (wanted: Format | undefined, given: Format | undefined): boolean =>
  wanted === undefined || given === undefined || !['colour', 'mask'].includes(wanted) || wanted === given

/** Whether what comes of a node is read by another one, over however many. */
const leadsTo = ({ edges }: Graph, from: string, to: string): boolean => {
  const seen = new Set([from])
  for (const id of seen) {
    if (id === to) return true
    for (const edge of edges) if (partsOf(edge.from).node === id) seen.add(partsOf(edge.to).node)
  }
  return false
}

/** A wire that could be drawn. */
export interface Wire {
  readonly from: string
  readonly to: string
  /** The other end, seen from the node that is asked about. */
  readonly other: string
  /** The wire whose place it would take. */
  readonly instead: string | undefined
  /** Why it cannot be drawn. */
  readonly why: string | undefined
}

/** All wires between a node and the others: from each of its outputs, and to each of its inputs. */
export const wiresOf = (graph: Graph, types: NodeTypes, id: string): readonly Wire[] => {
  const portsOf = (side: 'inputs' | 'outputs') =>
    graph.nodes.flatMap((node) => (types.get(node.type)?.[side] ?? []).map(({ name }) => refOf(node.id, name)))
  const isMine = (ref: string) => partsOf(ref).node === id
  const wire = (from: string, to: string, other: string): Wire => ({
    from,
    to,
    other,
    instead: graph.edges.find((edge) => edge.to === to)?.from,
    why: whyNot(graph, types, from, to),
  })
  const [inputs, outputs] = [portsOf('inputs'), portsOf('outputs')]
  const isThere = ({ from, to }: Wire) => graph.edges.some((edge) => edge.from === from && edge.to === to)
  return [
    ...outputs.filter(isMine).flatMap((from) => inputs.filter((to) => !isMine(to)).map((to) => wire(from, to, to))),
    ...inputs
      .filter(isMine)
      .flatMap((to) => outputs.filter((from) => !isMine(from)).map((from) => wire(from, to, from))),
  ].filter((each) => !isThere(each))
}
