// Opens a model and says what it is. The process that does that may die of it: a model is a program, and the runtime of
// models much native code.

import { readFileSync } from 'node:fs'
import type { InferenceSession } from 'onnxruntime-node'
import {
  MAX_DIMENSIONS,
  MAX_TENSOR_NAME_LENGTH,
  MAX_TENSORS,
  type Model,
  type ModelTensor,
} from '../../machines/models/model.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { quote } from '../../machines/schema/quote.ts'
import { type OnnxHead, onnxHead } from './onnx-head.ts'
import { openSession } from './runtime.ts'

/** Why a model cannot be used, as a sentence that goes on after its name. */
export class NotModel extends Error {}

/** A model, open. */
export interface OpenModel {
  readonly session: InferenceSession
  readonly model: Omit<Model, 'run_ms'>
}

const MAX_SAID_LENGTH = 200 // by the runtime

/** Throws NotModel. */
export const openModel = async (path: string, threads: number): Promise<OpenModel> => {
  const head = headOf(path)
  const session = await openSession(path, threads).catch((error: Error) => {
    throw new NotModel(`cannot be loaded: ${firstLine(error)}`)
  })
  const { inputMetadata, outputMetadata } = session
  return {
    session,
    model: {
      format: 'onnx',
      opset: head.opset,
      producer: head.producer,
      classes: [...head.classes],
      inputs: tensors('takes', inputMetadata),
      outputs: tensors('gives', outputMetadata),
    },
  }
}

const headOf = (path: string): OnnxHead => {
  try {
    return onnxHead(readFileSync(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new NotModel('is not on this device')
    throw new NotModel('is not whole, or no ONNX model')
  }
}

/** What the runtime says of a model, short: without the place in its sources, and without the path. */
export const firstLine = ({ message }: Error): string => {
  if (/external data/i.test(message)) return 'a part of it is in another file, and models are one file here'
  const [line = ''] = message.replace(/^Load model from .*? failed:\s*/, '').split('\n')
  return line.replace(/^.*\/onnxruntime_src\/.*\) /, '').slice(0, MAX_SAID_LENGTH)
}

const tensors = (does: string, all: readonly InferenceSession.ValueMetadata[]): ModelTensor[] => {
  if (all.length > MAX_TENSORS)
    throw new NotModel(`${does} ${all.length} tensors; at most ${MAX_TENSORS} are read here`)
  return all.map((each): ModelTensor => {
    if (each.name.length > MAX_TENSOR_NAME_LENGTH)
      throw new NotModel(
        oneLine`
          ${does} something whose name has ${each.name.length} characters; at most ${MAX_TENSOR_NAME_LENGTH} are read
          here
        `,
      )
    if (!each.isTensor) throw new NotModel(`${does} ${quote(each.name)}, which is no tensor`)
    if (each.shape.length > MAX_DIMENSIONS)
      throw new NotModel(`${does} a tensor of ${each.shape.length} dimensions; at most ${MAX_DIMENSIONS} are read here`)
    const shape = each.shape.map((length) => (typeof length === 'number' ? length : null))
    return { name: each.name, element: each.type, shape }
  })
}
