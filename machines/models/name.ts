// Names of models: the names of their media items, which end in .onnx (machines/media/name.ts).
import Type from '../schema/type.ts'

const PATTERN = '^[a-z0-9_][a-z0-9_-]{0,79}\\.onnx$'

export const ModelName = Type.String({
  pattern: PATTERN,
  description: '1 to 80 lower-case letters, digits, - and _, and `.onnx` behind them. Of a media item of kind model.',
  examples: ['notes.onnx'],
})

/** Whether it can be the name of a model: nothing that leads out of the folder of the media can. */
export const isModelName = (text: unknown): text is string => typeof text === 'string' && new RegExp(PATTERN).test(text)
