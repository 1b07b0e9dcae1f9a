// All that there is to say about a graph: what is wrong, what is worth knowing where it would run, and what the plan makes of it.
import type { PictureSize } from '../cameras/crop.ts'
import { type Cost, costOf, USUAL_PICTURE } from './cost.ts'
import { type Diagnostic, diagnosticOf, type Finding, isError } from './diagnostic.ts'
import type { GraphDraft } from './graph.ts'
import { behind, type GraphIndex, type Node } from './graph-index.ts'
import { missingOutput } from './outputs.ts'
import { withoutNodes } from './patches.ts'
import { type Examined, examined, type Runnable } from './plan.ts'

/**
 * Where a graph would run, as far as that is known. picture: what its source gives. fps: of the source; null: not known, so that nothing is too slow.
 * intrinsics: whether the camera has some; null: not known. unavailable: node types that this device does not have, and why.
 */
export interface PlanContext {
  readonly picture: PictureSize | null
  readonly fps: number | null
  readonly intrinsics: boolean | null
  readonly unavailable: ReadonlyMap<string, string>
}

/** Nothing is known. */
export const ANYWHERE: PlanContext = { picture: null, fps: null, intrinsics: null, unavailable: new Map() }

/** More would help nobody. */
export const MOST_DIAGNOSTICS = 200

/** left_out: how many more diagnostics there are. planned: there is a plan when the graph can run there. */
export interface Report {
  readonly runnable: boolean
  readonly diagnostics: readonly Diagnostic[]
  readonly left_out: number
  readonly planned?: Runnable
  readonly cost?: Cost
}

/** What the planner says of a graph that has passed its schema. Errors first, then in the order of the document. Never throws. */
export const examineGraph = (graph: GraphDraft, context: PlanContext = ANYWHERE): Report => {
  const found = examined(graph)
  const unavailable = unavailableNodes(found.index, context)
  const errors = [...found.findings.filter(isError), ...unavailable]
  const { planned } = found
  const cost = planned && costOf(planned.plan, context.picture ?? USUAL_PICTURE)
  const findings = planned && cost ? [...errors, ...hints(found, planned, cost, context)] : errors
  return {
    runnable: errors.length === 0,
    diagnostics: findings.slice(0, MOST_DIAGNOSTICS).map(diagnosticOf),
    left_out: Math.max(0, findings.length - MOST_DIAGNOSTICS),
    ...(planned && errors.length === 0 && { planned, ...(cost && { cost }) }),
  }
}

const unavailableNodes = ({ nodes }: GraphIndex, { unavailable }: PlanContext): readonly Finding[] =>
  [...nodes.values()].flatMap(({ id, type, pointer }): readonly Finding[] => {
    const reason = unavailable.get(type)
    if (reason === undefined) return []
    return [
      {
        ...{ code: 'node.unavailable', node: id, of: `the type of ${id}`, pointer: `${pointer}/type` },
        message: `is ${type}, which this device does not have: ${reason}`,
      },
    ]
  })

/** What is worth saying of a graph that can run. */
const hints = (
  { index }: Examined,
  planned: Runnable,
  cost: Cost,
  { fps, intrinsics }: PlanContext,
): readonly Finding[] => [
  ...missingOutput(index),
  ...planned.unused.map((id) => unusedNode(index, index.nodes.get(id) as Node)),
  ...(intrinsics === false ? uncalibrated(index, planned) : []),
  ...(fps !== null && cost.us > 1e6 / fps ? [overBudget(index, cost, fps)] : []),
  ...planned.shared.map(
    ({ node, step }): Finding => ({
      ...{ code: 'node.shared', node: node.id, of: `the node ${node.id}`, pointer: node.pointer },
      message: `does the same as ${step}, with the same values: it is computed once for both`,
    }),
  ),
  ...planned.inserted.map(
    ({ wire: { index: edge, from, to } }): Finding => ({
      ...{ code: 'edge.converted', node: to.node.id, port: to.port.name, of: 'the end of an edge' },
      ...{ pointer: `/edges/${edge}/to` },
      message: `is ${to.name}, which takes grey images, and ${from.name} gives colour: grey is made of it on the way`,
    }),
  ),
]

/** The fix takes what lies behind it away too; a larger part of a graph is for its user to judge. */
const MOST_REMOVED = 16

const unusedNode = (index: GraphIndex, node: Node): Finding => ({
  ...{ code: 'node.unused', node: node.id, of: `the node ${node.id}`, pointer: node.pointer },
  message: 'leads to no output, so that it does not run; make an output of what comes of it, or remove it',
  fix: () => {
    const gone = behind(index, node, MOST_REMOVED)
    if (!gone) return null
    const wires = [...gone].flatMap(({ id, is }) => [
      ...(index.leaving.get(id) ?? []),
      ...is.inputs.flatMap(({ name }) => index.wires.get(`${id}.${name}`) ?? []),
    ])
    return withoutNodes(
      index.graph,
      [...gone].map((each) => each.index),
      new Set(wires.map((wire) => wire.index)),
    )
  },
})

const uncalibrated = ({ nodes }: GraphIndex, { unused }: Runnable): readonly Finding[] => {
  const idle = new Set(unused)
  return [...nodes.values()].flatMap(({ id, is, pointer }): readonly Finding[] =>
    is.needs !== 'intrinsics' || idle.has(id)
      ? []
      : [
          {
            ...{ code: 'calibration.missing', node: id, of: `the node ${id}`, pointer },
            message: 'needs the intrinsics of the camera, and the stream has none; calibrate the camera',
          },
        ],
  )
}

const overBudget = ({ nodes }: GraphIndex, { us, steps }: Cost, fps: number): Finding => {
  const ms = (some: number) => (some / 1000).toFixed(1)
  const dearest = steps.reduce((a, b) => (b.us > a.us ? b : a))
  return {
    ...{ code: 'cost.over_budget', of: 'the graph', pointer: '/nodes' },
    ...(nodes.has(dearest.id) && { node: dearest.id }),
    message: `takes about ${ms(us)} ms for each frame, and at ${fps} fps there are ${ms(1e6 / fps)} ms: frames will be skipped. Most of it is ${dearest.id} (${dearest.type}), about ${ms(dearest.us)} ms; give it a smaller picture, or have fewer frames`,
  }
}
