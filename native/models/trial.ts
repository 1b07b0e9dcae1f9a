// Runs a model on an empty picture: only then is it known what it gives, how long that takes, and that its shapes are
// no lies.
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { inputBytes, inputOf, inputShape, type ModelInput } from '../../machines/models/input.ts'
import { shapeText } from '../../machines/models/model.ts'
import { firstLine, NotModel, type OpenModel } from './open-model.ts'
import { loadRuntime } from './runtime.ts'

/** Of models that leave the size of their pictures open. */
export const DEFAULT_SIDE_PX = 640

/** A tensor over the beginning of a piece of memory, which is what the model is given. */
export const inputTensor = (input: ModelInput, memory: ArrayBuffer): Tensor => {
  const { Tensor } = loadRuntime()
  const bytes = inputBytes(input)
  const dims = inputShape(input)
  return input.element === 'uint8'
    ? new Tensor('uint8', new Uint8Array(memory, 0, bytes), dims)
    : new Tensor('float32', new Float32Array(memory, 0, bytes / Float32Array.BYTES_PER_ELEMENT), dims)
}

/** How the model is to be fed, or NotModel is thrown. */
export const modelInput = ({ model }: Pick<OpenModel, 'model'>, openSidePx: number): ModelInput => {
  const input = inputOf(model, openSidePx)
  if (typeof input === 'string') throw new NotModel(input)
  return input
}

/** What the model gives for an empty picture. Throws NotModel, also when that is not what it says it gives. */
export const runTrial = async (
  { session, model }: OpenModel,
  input: ModelInput,
): Promise<InferenceSession.ReturnType> => {
  const tensor = inputTensor(input, new ArrayBuffer(inputBytes(input)))
  const given = await session.run({ [input.name]: tensor }).catch((error: Error) => {
    throw new NotModel(`cannot be run on a picture of ${input.width_px}x${input.height_px} pixels: ${firstLine(error)}`)
  })
  for (const { name, shape } of model.outputs) {
    const dims = given[name]?.dims ?? []
    const holds = dims.length === shape.length && shape.every((length, n) => length === null || length === dims[n])
    if (!holds) throw new NotModel(`says that ${name} is ${shapeText(shape)}, and gives ${shapeText(dims)}`)
  }
  return given
}
