// Changes of a graph document as JSON Patches. Each begins with tests of what it is about: positions are no identities,
// and the document may be another by the time that it is applied.
import { MAX_BASE_LENGTH, numbered, type Taken } from '../../schema/free-id.ts'
import type { Patch, PatchOperation } from '../diagnostic.ts'
import { type GraphDraft, MAX_EDGES, MAX_NODES, MAX_OUTPUTS } from '../graph.ts'

/** More would make an answer of a patch. */
const MAX_OPERATIONS = 256

/** Never part of a path: libraries that apply patches refuse or skip them. */
const UNSAFE: readonly string[] = ['__proto__', 'constructor', 'prototype']

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** That the node of that index is still the same. */
const testNode = (graph: GraphDraft, index: number): PatchOperation => ({
  op: 'test',
  path: `/nodes/${index}/id`,
  value: graph.nodes[index]?.id,
})

const descending = (indices: Iterable<number>): readonly number[] => [...indices].sort((a, b) => b - a)

/** Takes entries of a list away, the last first, so that the others keep their places. */
const removals = (list: 'edges' | 'outputs', graph: GraphDraft, indices: Iterable<number>): Patch =>
  descending(indices).flatMap(
    (index): Patch => [
      { op: 'test', path: `/${list}/${index}`, value: graph[list][index] },
      { op: 'remove', path: `/${list}/${index}` },
    ],
  )

/** null: it is too long. */
export const limitPatch = (patch: Patch): Patch | null => (patch.length > MAX_OPERATIONS ? null : patch)

export const withoutEdges = (graph: GraphDraft, indices: Iterable<number>): Patch | null =>
  limitPatch(removals('edges', graph, indices))

export const withoutOutput = (graph: GraphDraft, index: number): Patch => removals('outputs', graph, [index])

/** Takes nodes away, and the edges and places that go with them. edges: all that lead to or from them. */
export const withoutNodes = (graph: GraphDraft, nodes: Iterable<number>, edges: Iterable<number>): Patch | null => {
  const indices = descending(nodes)
  const ids = indices.map((index) => graph.nodes[index]?.id ?? '')
  if (ids.some((id) => UNSAFE.includes(id))) return null
  const placed = [...new Set(ids)].filter((id) => graph.layout && Object.hasOwn(graph.layout, id))
  return limitPatch([
    ...removals('edges', graph, edges),
    ...indices.flatMap((index): Patch => [testNode(graph, index), { op: 'remove', path: `/nodes/${index}` }]),
    ...placed.map((id): PatchOperation => ({ op: 'remove', path: `/layout/${id}` })),
  ])
}

/** Leads an edge from or to another port. */
export const withEdge = (graph: GraphDraft, index: number, end: 'from' | 'to', port: string): Patch => [
  { op: 'test', path: `/edges/${index}`, value: graph.edges[index] },
  { op: 'replace', path: `/edges/${index}/${end}`, value: port },
]

export const withOutput = (graph: GraphDraft, index: number, field: 'port' | 'from', value: string): Patch => [
  { op: 'test', path: `/outputs/${index}`, value: graph.outputs[index] },
  { op: 'replace', path: `/outputs/${index}/${field}`, value },
]

export const withNode = (graph: GraphDraft, index: number, field: 'id' | 'type', value: string): Patch => [
  testNode(graph, index),
  { op: 'replace', path: `/nodes/${index}/${field}`, value },
]

/** value undefined: without the parameter. */
export const withParam = (graph: GraphDraft, index: number, name: string, value: unknown): Patch | null => {
  if (UNSAFE.includes(name)) return null
  const path = `/nodes/${index}/params/${escaped(name)}`
  return [testNode(graph, index), value === undefined ? { op: 'remove', path } : { op: 'replace', path, value }]
}

/** The same value under another name. null: no library would do that. */
export const withRenamedParam = (graph: GraphDraft, index: number, from: string, to: string): Patch | null => {
  if (UNSAFE.includes(from)) return null
  const path = `/nodes/${index}/params`
  const value = graph.nodes[index]?.params?.[from]
  const old = `${path}/${escaped(from)}`
  return [
    testNode(graph, index),
    { op: 'test', path: old, value },
    { op: 'remove', path: old },
    { op: 'add', path: `${path}/${to}`, value },
  ]
}

const MAX = { nodes: MAX_NODES, edges: MAX_EDGES, outputs: MAX_OUTPUTS }

/** Sets a parameter that the document may have, or not. */
export const settingParam = (graph: GraphDraft, index: number, name: string, value: unknown): Patch => {
  const path = `/nodes/${index}/params`
  const hasSome = graph.nodes[index]?.params !== undefined
  return [
    testNode(graph, index),
    hasSome ? { op: 'add', path: `${path}/${escaped(name)}`, value } : { op: 'add', path, value: { [name]: value } },
  ]
}

/** null: there is no room for one more. */
export const withMore = (graph: GraphDraft, list: keyof typeof MAX, value: unknown): Patch | null =>
  graph[list].length < MAX[list] ? [{ op: 'add', path: `/${list}/-`, value }] : null

/** A name like this one that nobody has. */
export const freeName = (like: string, taken: Taken): string => numbered(like.slice(0, MAX_BASE_LENGTH), taken)
