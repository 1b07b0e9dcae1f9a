// From a graph as a user drew it to steps an engine can run in order. Refuses with a pointer and a sentence for everything that is wrong at once.

import type { SchemaError } from '../schema/explain.ts'
import { byFamily } from './family-default.ts'
import type { CanonicalGraph, GraphDocument, Plan, PlanStep } from './graph.ts'
import { type End, type Node, type Output, readGraph, type Wire } from './read-graph.ts'

/** graph: every parameter filled in. unused: nodes that lead to no output; they are in the graph but not in the plan. */
export type Planned =
  | { readonly ok: true; readonly plan: Plan; readonly graph: CanonicalGraph; readonly unused: readonly string[] }
  | { readonly ok: false; readonly errors: readonly SchemaError[] }

/** A graph is a part of a manifest, which is never changed but replaced: what was once found out about it holds. */
const known = new WeakMap<GraphDocument, Planned>()

/**
 * Plans a graph that has passed its schema. Equal graphs give equal plans; the order of the document decides where the edges leave a choice.
 *
 * The work is done once for each graph, and not again for the same one with every parameter filled in, as it is stored: whoever needs the plan asks
 * here.
 */
export const planGraph = (graph: GraphDocument): Planned => {
  const before = known.get(graph)
  if (before) return before
  const planned = plannedAnew(graph)
  known.set(graph, planned)
  if (planned.ok) known.set(planned.graph, planned)
  return planned
}

const plannedAnew = (graph: GraphDocument): Planned => {
  const { nodes, wires, outputs, errors } = readGraph(graph)
  if (errors.length > 0) return { ok: false, errors }

  const order = sorted(nodes, wires)
  if (order.length < nodes.length) return { ok: false, errors: [cycleError(nodes, order, wires)] }
  const needed = neededBy(
    outputs.map((output) => output.from.node),
    wires,
  )
  const used = order.filter((node) => needed.has(node.id))
  return {
    ok: true,
    plan: numbered(used, wires, outputs),
    graph: { ...graph, nodes: nodes.map(({ id, type, params }) => ({ id, type, params })) },
    unused: order.filter((node) => !needed.has(node.id)).map((node) => node.id),
  }
}

const sourcesOf = (id: string, wires: readonly Wire[]): readonly string[] =>
  wires.filter(({ to }) => to.node === id).map(({ from }) => from.node)

/** Kahn's algorithm; nodes of a cycle and those behind it are missing from the answer. */
const sorted = (nodes: readonly Node[], wires: readonly Wire[]): readonly Node[] => {
  const order: Node[] = []
  const done = new Set<string>()
  const waiting = [...nodes]
  for (;;) {
    const next = waiting.findIndex(({ id }) => sourcesOf(id, wires).every((source) => done.has(source)))
    const [node] = next < 0 ? [] : waiting.splice(next, 1)
    if (!node) return order
    done.add(node.id)
    order.push(node)
  }
}

/** Follows edges backwards from any node that could not be sorted until one comes again. */
const cycleError = (nodes: readonly Node[], order: readonly Node[], wires: readonly Wire[]): SchemaError => {
  const stuck = nodes.filter((node) => !order.includes(node))
  const path: string[] = []
  for (let id = stuck[0]?.id; id !== undefined && !path.includes(id); ) {
    path.unshift(id)
    id = sourcesOf(id, wires).find((source) => stuck.some((node) => node.id === source))
    if (id !== undefined && path.includes(id)) path.splice(path.indexOf(id) + 1)
  }
  const first = stuck.find(({ id }) => id === path[0])
  return { pointer: first?.pointer ?? '/edges', message: `stands in a circle: ${[...path, path[0]].join(' > ')}` }
}

const neededBy = (ids: readonly string[], wires: readonly Wire[]): ReadonlySet<string> => {
  const needed = new Set(ids)
  for (const id of needed) for (const source of sourcesOf(id, wires)) needed.add(source) // a Set hands out what is added on the way
  return needed
}

const numbered = (nodes: readonly Node[], wires: readonly Wire[], outputs: readonly Output[]): Plan => {
  const slots = new Map<string, number>()
  const isRead = ({ node, port }: End) =>
    wires.some(({ from }) => from.node === node && from.port === port) ||
    outputs.some(({ from }) => from.node === node && from.port === port)
  for (const { id, is } of nodes)
    for (const { name, kind, optional } of is.outputs)
      if (!optional || isRead({ node: id, port: name, kind })) slots.set(`${id}.${name}`, slots.size)
  const slotOf = ({ node, port }: End) => slots.get(`${node}.${port}`) as number
  const inputSlot = (id: string, name: string): number => {
    const wire = wires.find(({ to }) => to.node === id && to.port === name)
    return wire ? slotOf(wire.from) : -1
  }
  const steps = nodes.map(
    ({ id, type, is, params }): PlanStep => ({
      id,
      type,
      inputs: is.inputs.map(({ name }) => inputSlot(id, name)),
      outputs: is.outputs.map(({ name }) => slots.get(`${id}.${name}`) ?? -1),
      params: byFamily(is.params.properties, params),
    }),
  )
  return {
    slots: slots.size,
    steps,
    outputs: outputs.map(({ port, from }) => ({ port, slot: slotOf(from), kind: from.kind })),
  }
}
