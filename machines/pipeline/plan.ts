// From a graph as a user drew it to steps an engine can run in order. Says all that is wrong at once, each with its
// place and a sentence.

import { MAX_ERRORS } from '../schema/errors.ts'
import type { SchemaError } from '../schema/explain.ts'
import { memoryFindings } from './checks/memory.ts'
import { openInputs } from './checks/open-input.ts'
import { type Finding, firstOf, isError } from './diagnostic.ts'
import type { CanonicalGraph, GraphDraft, Plan } from './graph.ts'
import { knownTypes } from './known-types.ts'
import type { NodeTypes } from './node-type.ts'
import { DEFAULT_PICTURE } from './planning/cost.ts'
import { readFormats } from './planning/formats.ts'
import { sorted } from './planning/order.ts'
import { tooLargePictures } from './planning/picture-memory.ts'
import { type Inserted, type Shared, stepsOf } from './planning/steps.ts'
import { withThreadsShared } from './planning/threads.ts'
import { pluginOf } from './plugin-step.ts'
import { type GraphIndex, type Node, sourcesOf } from './reading/graph-index.ts'
import { readGraph } from './reading/read-graph.ts'

/** A graph that can run, with its plan. */
export interface Runnable {
  readonly ok: true
  readonly plan: Plan
  /** Every parameter filled in. */
  readonly graph: CanonicalGraph
  /** Nodes that lead to no output; they are in the graph but not in the plan. */
  readonly unused: readonly string[]
  /** How its steps differ from its nodes. */
  readonly inserted: readonly Inserted[]
  /** How its steps differ from its nodes. */
  readonly shared: readonly Shared[]
}
export type Planned = Runnable | Unrunnable

/** why: the first of the errors as a sentence for people, with no pointer, and how many more there are. */
export interface Unrunnable {
  readonly ok: false
  readonly errors: readonly SchemaError[]
  readonly why: string
}

/** What becomes of a graph, by whatever its plan is judged. */
export type PlanOf = (graph: GraphDraft) => Planned

/** planned: undefined when there are errors among the findings. */
export interface Examined {
  readonly index: GraphIndex
  readonly findings: readonly Finding[]
  readonly planned?: Runnable
}

/** A graph is a part of a document, which is never changed but replaced: what was once found out about it holds. */
const known = new WeakMap<GraphDraft, Known>()

/** types: that it goes by; undefined: none of them is a plugin's, so that it holds whatever these bring. */
interface Known {
  readonly examined: Examined
  readonly answer: Planned
  readonly types: NodeTypes | undefined
}

/**
 * Plans a graph that has passed its schema. Equal graphs give equal plans; the order of the document decides where the
 * edges leave a choice.
 *
 * The work is done once for each graph, and not again for the same one with every parameter filled in, as it is stored:
 * a caller that needs the plan asks here. It grows with the number of nodes and edges, and no faster. types: those that
 * there are; left out, those that are known here at the moment.
 */
export const planGraph = (graph: GraphDraft, types = knownTypes()): Planned => lookedAt(graph, types).answer

/** The same with all findings, for the report (machines/pipeline/examine.ts). */
export const examined = (graph: GraphDraft, types = knownTypes()): Examined => lookedAt(graph, types).examined

const lookedAt = (graph: GraphDraft, types: NodeTypes): Known => {
  const before = known.get(graph)
  if (before && (before.types === undefined || before.types === types)) return before
  const found = examine(graph, types)
  const { findings, planned } = found
  const answer: Planned = planned ?? unrunnable(findings.filter(isError))
  const isOfPlugins = graph.nodes.some(({ type }) => pluginOf(type) !== undefined)
  const entry = { examined: found, answer, types: isOfPlugins ? types : undefined }
  known.set(graph, entry)
  if (planned) known.set(planned.graph, entry)
  return entry
}

/** What is said of a graph with these errors. */
export const unrunnable = (findings: readonly Finding[]): Unrunnable => ({
  ok: false,
  errors: findings.slice(0, MAX_ERRORS).map(({ pointer, message }) => ({ pointer, message })),
  why: firstOf(findings),
})

const examine = (graph: GraphDraft, types: NodeTypes): Examined => {
  const { index, findings: read } = readGraph(graph, types)
  const { order, circles } = sorted(index)
  const { formats, findings: otherFormats } = readFormats(index, order)
  const findings = [
    ...[...read, ...openInputs(index, formats)],
    ...[...memoryFindings(index.nodes.values()), ...circles, ...otherFormats],
  ]
  if (findings.length > 0) return { index, findings }

  const needed = neededBy(index)
  const used = order.filter((node) => needed.has(node))
  const { plan: drawn, inserted, shared } = stepsOf(index, used, formats)
  const plan = withThreadsShared(drawn)
  const tooLarge = tooLargePictures(plan, DEFAULT_PICTURE)
  if (tooLarge.length > 0) return { index, findings: tooLarge }
  const nodes = [...index.nodes.values()].map(({ id, type, params }) => ({ id, type, params }))
  const unused = order.filter((node) => !needed.has(node)).map(({ id }) => id)
  return {
    index,
    findings: [],
    planned: { ok: true, plan, graph: { ...graph, nodes }, unused, inserted, shared },
  }
}

/** The source is needed by previews and recordings, even if no node reads it. */
const neededBy = (index: GraphIndex): ReadonlySet<Node> => {
  const needed = new Set(index.outputs.map(({ from }) => from.node))
  for (const node of index.nodes.values()) if (node.type === 'source') needed.add(node)
  // a Set hands out what is added on the way
  for (const node of needed) for (const source of sourcesOf(node)) needed.add(source)
  return needed
}
