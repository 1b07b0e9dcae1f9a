// From a graph as a user drew it to steps an engine can run in order. Says all that is wrong at once, each with its place and a sentence.

import { MAX_ERRORS } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { type Finding, isError } from './diagnostic.ts'
import { readFormats } from './formats.ts'
import type { CanonicalGraph, GraphDraft, Plan } from './graph.ts'
import { type GraphIndex, type Node, sourcesOf } from './graph-index.ts'
import { memoryFindings } from './memory.ts'
import { openInputs } from './open-input.ts'
import { sorted } from './order.ts'
import { readGraph } from './read-graph.ts'
import { type Inserted, type Shared, stepsOf } from './steps.ts'

/** graph: every parameter filled in. unused: nodes that lead to no output; they are in the graph but not in the plan. inserted, shared: how its steps differ from its nodes. */
export interface Runnable {
  readonly ok: true
  readonly plan: Plan
  readonly graph: CanonicalGraph
  readonly unused: readonly string[]
  readonly inserted: readonly Inserted[]
  readonly shared: readonly Shared[]
}
export type Planned = Runnable | { readonly ok: false; readonly errors: readonly SchemaError[] }

/** planned: undefined when there are errors among the findings. */
export interface Examined {
  readonly index: GraphIndex
  readonly findings: readonly Finding[]
  readonly planned?: Runnable
}

/** A graph is a part of a document, which is never changed but replaced: what was once found out about it holds. */
const known = new WeakMap<GraphDraft, { examined: Examined; answer: Planned }>()

/**
 * Plans a graph that has passed its schema. Equal graphs give equal plans; the order of the document decides where the edges leave a choice.
 *
 * The work is done once for each graph, and not again for the same one with every parameter filled in, as it is stored: whoever needs the plan asks
 * here. It grows with the number of nodes and edges, and no faster.
 */
export const planGraph = (graph: GraphDraft): Planned => lookedAt(graph).answer

/** The same with all that was found, for those who say more of it (machines/pipeline/examine.ts). */
export const examined = (graph: GraphDraft): Examined => lookedAt(graph).examined

const lookedAt = (graph: GraphDraft) => {
  const before = known.get(graph)
  if (before) return before
  const found = examine(graph)
  const { findings, planned } = found
  const answer: Planned = planned ?? {
    ok: false,
    errors: findings
      .filter(isError)
      .slice(0, MAX_ERRORS)
      .map(({ pointer, message }) => ({ pointer, message })),
  }
  const entry = { examined: found, answer }
  known.set(graph, entry)
  if (planned) known.set(planned.graph, entry)
  return entry
}

/** The engine keeps so many values at most. */
const MOST_SLOTS = 1024

const examine = (graph: GraphDraft): Examined => {
  const { index, findings: read } = readGraph(graph)
  const { order, circles } = sorted(index)
  const { formats, findings: otherFormats } = readFormats(index, order)
  const findings = [
    ...[...read, ...openInputs(index, formats)],
    ...[...memoryFindings(index.nodes.values()), ...circles, ...otherFormats],
  ]
  if (findings.length > 0) return { index, findings }

  const needed = neededBy(index)
  const used = order.filter((node) => needed.has(node))
  const { plan, inserted, shared } = stepsOf(index, used, formats)
  if (plan.slots > MOST_SLOTS) return { index, findings: [tooLarge(plan)] }
  const nodes = [...index.nodes.values()].map(({ id, type, params }) => ({ id, type, params }))
  const unused = order.filter((node) => !needed.has(node)).map(({ id }) => id)
  return {
    ...{ index, findings: [] },
    planned: { ok: true, plan, graph: { ...graph, nodes }, unused, inserted, shared },
  }
}

/** The source is needed by previews and recordings, whoever else reads it. */
const neededBy = (index: GraphIndex): ReadonlySet<Node> => {
  const needed = new Set(index.outputs.map(({ from }) => from.node))
  for (const node of index.nodes.values()) if (node.type === 'source') needed.add(node)
  for (const node of needed) for (const source of sourcesOf(index, node)) needed.add(source) // a Set hands out what is added on the way
  return needed
}

const tooLarge = ({ slots }: Plan): Finding => ({
  ...{ code: 'plan.too_large', of: 'the graph', pointer: '/nodes' },
  message: `makes ${slots} values for each frame; an engine keeps ${MOST_SLOTS} at most: use fewer nodes`,
})
