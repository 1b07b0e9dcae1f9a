// Whether a model fits a node, and how: its input, and how its answers are read.
import { classifierComplaint, DETECTOR_HEADS, type DetectorHead, headOf, type SsdOutputs } from './head.ts'
import { inputOf, type ModelInput } from './input.ts'
import type { Model } from './model.ts'

/** Types of nodes that run a model. */
export const MODEL_NODES = ['object-detector', 'classifier'] as const
export type ModelNode = (typeof MODEL_NODES)[number]

/** head: the place in DETECTOR_HEADS; of a classifier 0. */
export interface ModelFit {
  readonly input: ModelInput
  readonly head: number
  readonly outputs: SsdOutputs
}

/** Why a model does not fit, as a sentence that goes on after its name; param: what is to be changed about it. */
export interface Unfit {
  readonly param: 'model' | 'head' | 'input_px'
  readonly why: string
}

export type ModelShapes = Pick<Model, 'inputs' | 'outputs'>

const NO_OUTPUTS: SsdOutputs = { boxes: -1, labels: -1, scores: -1, count: -1 }

/** params: of the node, complete. */
export const fitModel = (
  type: ModelNode,
  model: ModelShapes,
  { input_px, head = 'auto' }: Readonly<Record<string, unknown>>,
): ModelFit | Unfit => {
  const input = inputOf(model, Number(input_px))
  if (typeof input === 'string') return { param: 'model', why: input }
  if (type === 'classifier') {
    const why = classifierComplaint(model)
    return why === undefined ? { input, head: 0, outputs: NO_OUTPUTS } : { param: 'model', why }
  }
  const found = headOf(model, head as 'auto' | DetectorHead)
  if (typeof found === 'string') return { param: head === 'auto' ? 'model' : 'head', why: found }
  return { input, head: DETECTOR_HEADS.indexOf(found.head), outputs: found.outputs }
}

export const isUnfit = (found: ModelFit | Unfit): found is Unfit => 'why' in found

/** The facts of a model in the order in which the engine reads them (native/addon/nodes/learned/learned_nodes.cc). */
export const factsOf = ({ input, head, outputs }: ModelFit): readonly number[] => [
  ...[input.width_px, input.height_px, input.channels],
  ...[input.isPlanar ? 1 : 0, input.element === 'uint8' ? 1 : 0],
  ...[head, outputs.boxes, outputs.labels, outputs.scores, outputs.count],
]

/** Of a node that has no model yet. */
export const NO_FACTS: readonly number[] = [0, 0, 3, 1, 0, 0, -1, -1, -1, -1]
