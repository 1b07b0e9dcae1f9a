// In which way a model says what it sees, told by the shapes of what it gives.
import { oneLine } from '../schema/one-line.ts'
import { type Model, type ModelTensor, shapeText } from './model.ts'

/** Ways in which detectors say where things are; the engine knows them by their places in this list. */
export const DETECTOR_HEADS = ['yolov5', 'yolov8', 'corners', 'ssd'] as const
export type DetectorHead = (typeof DETECTOR_HEADS)[number]

/** Which output is which; -1: none. Only an SSD has more than one. */
export interface SsdOutputs {
  readonly boxes: number
  readonly labels: number
  readonly scores: number
  readonly count: number
}

export interface Head {
  readonly head: DetectorHead
  readonly outputs: SsdOutputs
}

const ONE_OUTPUT: SsdOutputs = { boxes: -1, labels: -1, scores: -1, count: -1 }

const BOX = 4
/** What sorts itself out gives some hundred boxes; grids of anchors give thousands. */
const MAX_SORTED = 1000

/**
 * Which head a model has, or a sentence that goes on after its name. wanted: `auto`, or that its user has named one.
 */
export const headOf = (model: Pick<Model, 'outputs'>, wanted: 'auto' | DetectorHead): Head | string => {
  if (wanted === 'ssd') return ssdOf(model.outputs)
  if (wanted !== 'auto') {
    const [output] = model.outputs
    if (output && matrixOf(output.shape) && canBe[wanted](output.shape)) return { head: wanted, outputs: ONE_OUTPUT }
    return `${gives(model)}, and a head of ${wanted} gives ${LOOKS[wanted]}`
  }
  if (model.outputs.length >= 3) return ssdOf(model.outputs)
  const [output] = model.outputs
  const head = output && (['corners', 'yolov8', 'yolov5'] as const).find((each) => isProbably[each](output.shape))
  if (!head) return `${gives(model)}, which is no detector that is known here; name its head if it is one`
  return { head, outputs: ONE_OUTPUT }
}

/** Whether a model gives one number for each class; a sentence when it does not. */
export const classifierComplaint = ({ outputs }: Pick<Model, 'outputs'>): string | undefined => {
  const lengths = outputs[0]?.shape.filter((length) => length !== 1)
  const isRow = outputs[0]?.element === 'float32' && lengths !== undefined && lengths.length === 1
  return isRow ? undefined : `${gives({ outputs })}, and a classifier gives a number for each class (1 x classes)`
}

const gives = ({ outputs }: { readonly outputs: readonly ModelTensor[] }): string =>
  `gives ${outputs.map(({ shape }) => shapeText(shape)).join(' and ') || 'nothing'}`

const LOOKS = {
  yolov5: '1 x boxes x (5 + classes)',
  yolov8: '1 x (4 + classes) x boxes',
  corners: '1 x boxes x 6',
} as const

type Shape = ModelTensor['shape']
type ShapeTest = (shape: Shape) => boolean

/** Rows and columns of one matrix; null: open. */
const matrixOf = (shape: Shape): readonly [number | null, number | null] | undefined => {
  const [first, ...rest] = shape
  const matrix = shape.length === 3 && (first === 1 || first === null) ? rest : shape.length === 2 ? shape : undefined
  return matrix && [matrix[0] ?? null, matrix[1] ?? null]
}

const longer = (length: number | null, than: number): boolean => length === null || length > than

/** What is open may be anything. */
const canBe: Readonly<Record<Exclude<DetectorHead, 'ssd'>, ShapeTest>> = {
  yolov5: (shape) => longer(matrixOf(shape)?.[1] ?? null, BOX + 1),
  yolov8: (shape) => longer(matrixOf(shape)?.[0] ?? null, BOX),
  corners: (shape) => [BOX + 2, null].includes(matrixOf(shape)?.[1] ?? null),
}

/** What is open is no help. Boxes are many more than classes. */
const isProbably: Readonly<Record<Exclude<DetectorHead, 'ssd'>, ShapeTest>> = {
  corners: (shape) => {
    const [rows, columns] = matrixOf(shape) ?? [0, 0]
    return columns === BOX + 2 && (rows === null || rows <= MAX_SORTED)
  },
  yolov8: (shape) => {
    const [rows, columns] = matrixOf(shape) ?? [0, 0]
    return rows !== null && rows > BOX && (columns === null || columns > rows)
  },
  yolov5: (shape) => {
    const [rows, columns] = matrixOf(shape) ?? [0, 0]
    return columns !== null && columns > BOX + 1 && (rows === null || rows > columns)
  },
}

/** By their names, as far as they say it, else in the order in which TensorFlow gives them. */
const ssdOf = (outputs: readonly ModelTensor[]): Head | string => {
  const named = (pattern: RegExp) => outputs.findIndex(({ name }) => pattern.test(name.toLowerCase()))
  const byName = {
    boxes: named(/box/),
    labels: named(/class|label/),
    scores: named(/score|conf/),
    count: named(/num|count/),
  }
  const isTold = byName.boxes >= 0 && byName.labels >= 0 && byName.scores >= 0
  const found = isTold ? byName : { boxes: 0, labels: 1, scores: 2, count: outputs.length > 3 ? 3 : -1 }
  if (outputs.length < 3 || outputs[found.boxes]?.shape.at(-1) !== BOX)
    return oneLine`
      ${gives({ outputs })}, and a head of ssd gives boxes (1 x boxes x 4), classes, scores and how many of them hold
    `
  return { head: 'ssd', outputs: found }
}
