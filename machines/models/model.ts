// What is known of a learned model before any pipeline runs it.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** More would be another kind of program. The engine reads eight tensors at most. */
export const MAX_TENSORS = 8
export const MAX_DIMENSIONS = 8
/** Programs that write models name tensors by where they come from in their sources. */
export const MAX_TENSOR_NAME_LENGTH = 200

/** Names of classes that a model brings along; more are put beside it as a label. */
export const MAX_CLASSES = 1000
export const MAX_CLASS_NAME_LENGTH = 64

/** A dimension that the model leaves open is null. */
const Dimension = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])

export const ModelTensor = Type.Object(
  {
    name: Type.String({ maxLength: MAX_TENSOR_NAME_LENGTH }),
    element: Type.String({ description: 'Of its numbers: float32, uint8, int64 and so on.' }),
    shape: Type.Array(Dimension, {
      maxItems: MAX_DIMENSIONS,
      description: 'How long it is in each dimension; null: the model leaves that open.',
    }),
  },
  { ...strict, title: 'ModelTensor', description: 'Something that a model takes or gives.' },
)
export type ModelTensor = Static<typeof ModelTensor>

/** What was found out about a model when it was stored. */
export const Model = Type.Object(
  {
    format: Type.Literal('onnx'),
    opset: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of the operations of ONNX; null: it does not say.',
    }),
    producer: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'The program that wrote it; null: it does not say.',
    }),
    inputs: Type.Array(ModelTensor, { maxItems: MAX_TENSORS }),
    outputs: Type.Array(ModelTensor, { maxItems: MAX_TENSORS }),
    classes: Type.Array(Type.String({ maxLength: MAX_CLASS_NAME_LENGTH }), {
      maxItems: MAX_CLASSES,
      description: 'Their names, as the model has them itself; those of a label beside it come first.',
    }),
    run_ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: oneLine`
        How long it took with an empty picture on this device, on one processor. null: it was not run, as it leaves
        open what it takes.
      `,
    }),
  },
  { ...strict, title: 'Model', description: 'A learned model, as the runtime of models sees it.' },
)
export type Model = Static<typeof Model>

/** As people write a shape: 1x3x640x640, with ? for what is open. */
export const shapeText = (shape: readonly (number | null)[]): string =>
  shape.map((length) => length ?? '?').join('x') || 'one number'

/** A model as the references show one. */
export const modelExample: Model = {
  format: 'onnx',
  opset: 17,
  producer: 'pytorch 2.3.0',
  inputs: [{ name: 'images', element: 'float32', shape: [1, 3, 640, 640] }],
  outputs: [{ name: 'output0', element: 'float32', shape: [1, 6, 8400] }],
  classes: ['note', 'robot'],
  run_ms: 84.2,
}
