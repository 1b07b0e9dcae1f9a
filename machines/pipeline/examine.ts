// All that there is to say about a graph: what is wrong, what is worth knowing where it would run, and what the plan
// makes of it.

import type { PictureSize } from '../cameras/crop.ts'
import type { StoredModels } from '../models/stored-models.ts'
import { oneLine } from '../schema/one-line.ts'
import { missingOutput } from './checks/missing-output.ts'
import { type Diagnostic, diagnosticOf, type Finding, isError } from './diagnostic.ts'
import type { GraphDraft } from './graph.ts'
import { modelFindings } from './model-findings.ts'
import { type Examined, examined, type Planned, planGraph, type Runnable, unrunnable } from './plan.ts'
import { adjustedParams } from './planning/adjusted-params.ts'
import { type Cost, costOf, DEFAULT_PICTURE } from './planning/cost.ts'
import { tooLargePictures } from './planning/picture-memory.ts'
import { findDownstream, type GraphIndex, type Node } from './reading/graph-index.ts'
import { withoutNodes } from './reading/patches.ts'

/** Where a graph would run, as far as that is known. */
export interface PlanContext {
  /** What its source gives. */
  readonly picture: PictureSize | null
  /** Of the source; null: not known, so that nothing is too slow. */
  readonly fps: number | null
  /** Whether the camera has some; null: not known. */
  readonly intrinsics: boolean | null
  /** Node types that this device does not have, and why. */
  readonly unavailable: ReadonlyMap<string, string>
  /** Of this device; left out, nothing is said of them. */
  readonly models?: StoredModels
}

/** Nothing is known. */
export const ANYWHERE: PlanContext = { picture: null, fps: null, intrinsics: null, unavailable: new Map() }

/** More would help nobody. */
export const MAX_DIAGNOSTICS = 200

/** What is wrong with a graph, and whether it can run. */
export interface Report {
  readonly runnable: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** How many more diagnostics there are. */
  readonly left_out: number
  /** There is a plan when the graph can run there. */
  readonly planned?: Runnable
  readonly cost?: Cost
}

/**
 * What the planner says of a graph that has passed its schema. Errors first, then in the order of the document. Never
 * throws.
 */
export const examineGraph = (graph: GraphDraft, context: PlanContext = ANYWHERE): Report => {
  const found = examined(graph)
  const { planned } = found
  const picture = context.picture ?? DEFAULT_PICTURE
  const ofDevice = deviceFindings(found.index, context)
  const errors = [
    ...found.findings.filter(isError),
    ...ofDevice.filter(isError),
    ...(planned ? tooLargePictures(planned.plan, picture) : []),
  ]
  const cost = planned && costOf(planned.plan, picture)
  const findings =
    planned && cost
      ? [...errors, ...ofDevice.filter((finding) => !isError(finding)), ...hints(found, planned, cost, context)]
      : errors
  return {
    runnable: errors.length === 0,
    diagnostics: findings.slice(0, MAX_DIAGNOSTICS).map(diagnosticOf),
    left_out: Math.max(0, findings.length - MAX_DIAGNOSTICS),
    ...(planned && errors.length === 0 && { planned, ...(cost && { cost }) }),
  }
}

/** What a device has, as far as it decides what can run there. */
export type Device = Pick<PlanContext, 'unavailable' | 'models'>

/** The plan of a graph on a device: what is an error when a graph is checked is one when it is to run. */
export const planHere = (graph: GraphDraft, device: Device): Planned => {
  const planned = planGraph(graph)
  if (!planned.ok) return planned
  const errors = deviceFindings(examined(graph).index, device).filter(isError)
  return errors.length === 0 ? planned : unrunnable(errors)
}

/**
 * What the nodes and models of a device make of a graph: the one piece by which it is judged and by which that is
 * explained.
 */
const deviceFindings = (index: GraphIndex, device: Device): readonly Finding[] => [
  ...unavailableNodes(index, device),
  ...(device.models ? modelFindings(index, device.models) : []),
]

const unavailableNodes = ({ nodes }: GraphIndex, { unavailable }: Device): readonly Finding[] =>
  [...nodes.values()].flatMap(({ id, type, pointer }): readonly Finding[] => {
    const reason = unavailable.get(type)
    if (reason === undefined) return []
    return [
      {
        code: 'node.unavailable',
        node: id,
        of: `the type of ${id}`,
        pointer: `${pointer}/type`,
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
  ...adjustedParams(index, planned.plan.steps, planned.shared),
  ...(fps !== null && cost.us > 1e6 / fps ? [overBudget(index, cost, fps)] : []),
  ...planned.shared.map(
    ({ node, step }): Finding => ({
      code: 'node.shared',
      node: node.id,
      of: `the node ${node.id}`,
      pointer: node.pointer,
      message: `does the same as ${step}, with the same values: it is computed once for both`,
    }),
  ),
  ...planned.inserted.map(
    ({ wire: { index: edge, from, to } }): Finding => ({
      code: 'edge.converted',
      node: to.node.id,
      port: to.port.name,
      of: 'the end of an edge',
      pointer: `/edges/${edge}/to`,
      message: `is ${to.name}, which takes grey images, and ${from.name} gives colour: grey is made of it on the way`,
    }),
  ),
]

/** The fix takes what lies behind it away too; a larger part of a graph is for its user to judge. */
const MAX_REMOVED = 16

const unusedNode = (index: GraphIndex, node: Node): Finding => ({
  code: 'node.unused',
  node: node.id,
  of: `the node ${node.id}`,
  pointer: node.pointer,
  message: 'leads to no output, so that it does not run; make an output of what comes of it, or remove it',
  fix: () => {
    const gone = findDownstream(index, node, MAX_REMOVED)
    if (!gone) return null
    const wires = [...gone].flatMap((each) => [
      ...(index.leaving.get(each) ?? []),
      ...each.wires.flatMap((wire) => wire ?? []),
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
            code: 'calibration.missing',
            node: id,
            of: `the node ${id}`,
            pointer,
            message: 'needs the intrinsics of the camera, and the stream has none; calibrate the camera',
          },
        ],
  )
}

const overBudget = ({ nodes }: GraphIndex, { us, steps }: Cost, fps: number): Finding => {
  const ms = (some: number) => (some / 1000).toFixed(1)
  const dearest = steps.filter(({ forPictures }) => !forPictures).reduce((a, b) => (b.us > a.us ? b : a))
  return {
    code: 'cost.over_budget',
    of: 'the graph',
    pointer: '/nodes',
    ...(nodes.has(dearest.id) && { node: dearest.id }),
    message: oneLine`
      takes about ${ms(us)} ms for each frame, and at ${fps} fps there are ${ms(1e6 / fps)} ms: frames will be skipped.
      Most of it is ${dearest.id} (${dearest.type}), about ${ms(dearest.us)} ms; give it a smaller picture, or have
      fewer frames
    `,
  }
}
