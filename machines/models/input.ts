// What a model takes: one picture, at a size, in an order of its numbers.
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import { type Model, type ModelTensor, shapeText } from './model.ts'

/** The engine keeps a picture of that size for each model, in numbers of four bytes. */
export const MAX_SIDE_PX = 2048
export const MIN_SIDE_PX = 8

/** The picture that a model takes. */
export interface ModelInput {
  readonly name: string
  readonly width_px: number
  readonly height_px: number
  /** Red, green, blue, or grey. */
  readonly channels: 1 | 3
  /** One colour after the other (NCHW), else pixel by pixel (NHWC). */
  readonly isPlanar: boolean
  readonly element: 'float32' | 'uint8'
}

/**
 * How the model is to be fed; a sentence that goes on after its name when it cannot be. openSidePx: of models that
 * leave their size open.
 */
export const inputOf = ({ inputs }: Pick<Model, 'inputs'>, openSidePx: number): ModelInput | string => {
  const [input, ...others] = inputs
  if (!input) return 'takes nothing; a model is read here that takes one picture'
  const { name, element, shape } = input
  if (others.length > 0)
    return oneLine`
      takes ${inputs.length} things (${inputs.map((each) => quote(each.name)).join(', ')}); a model is read here that
      takes one picture
    `
  if (element !== 'float32' && element !== 'uint8')
    return `takes numbers of ${element}; float32 and uint8 are read here, so export it with one of them`
  const found = layoutOf(shape)
  if (!found)
    return `takes ${shapeText(shape)}, which is no picture; 1 x 3 x height x width is, and 1 x height x width x 3`
  const size = { width_px: found.width ?? openSidePx, height_px: found.height ?? openSidePx }
  const [least, most] = [Math.min(size.width_px, size.height_px), Math.max(size.width_px, size.height_px)]
  if (least < MIN_SIDE_PX || most > MAX_SIDE_PX)
    return oneLine`
      takes pictures of ${size.width_px}x${size.height_px} pixels; each side may have ${MIN_SIDE_PX} to ${MAX_SIDE_PX}
    `
  return { name, ...size, channels: found.channels, isPlanar: found.isPlanar, element }
}

interface Layout {
  readonly channels: 1 | 3
  readonly isPlanar: boolean
  readonly width: number | null
  readonly height: number | null
}

const layoutOf = (shape: ModelTensor['shape']): Layout | undefined => {
  const [batch, a = null, b = null, c = null] = shape
  if (shape.length !== 4 || (batch !== 1 && batch !== null)) return undefined
  if (a === 3 || a === 1) return { channels: a, isPlanar: true, height: b, width: c }
  if (c === 3 || c === 1) return { channels: c, isPlanar: false, height: a, width: b }
  return undefined
}

/** The shape of a tensor of it. */
export const inputShape = ({ width_px, height_px, channels, isPlanar }: ModelInput): readonly number[] =>
  isPlanar ? [1, channels, height_px, width_px] : [1, height_px, width_px, channels]

export const inputBytes = ({ width_px, height_px, channels, element }: ModelInput): number =>
  width_px * height_px * channels * (element === 'uint8' ? 1 : 4)
