// How large the pictures are that travel through a plan.
import type { PictureSize } from '../../cameras/crop.ts'
import type { PlanStep } from '../graph.ts'
import type { NodeType } from '../node-type.ts'

/** The size of the first picture that a step looks at, of those that are known by their slots. */
export const firstPicture = <Size>(
  { inputs }: PlanStep,
  is: Pick<NodeType, 'inputs'>,
  sizes: ReadonlyMap<number, Size>,
): Size | undefined => {
  const n = is.inputs.findIndex(({ kind }) => kind === 'image')
  return n < 0 ? undefined : sizes.get(inputs[n] as number)
}

/** The size of what a step gives. first: of the picture that it looks at. */
export const givenSize = ({ params }: PlanStep, { size }: Pick<NodeType, 'size'>, first: PictureSize): PictureSize => {
  if (!size) return first
  const width_px = Number(params.width_px ?? first.width_px)
  const height_px = Number(params.height_px ?? first.height_px)
  if (size === 'set') return { width_px, height_px }
  return { width_px: Math.min(width_px, first.width_px), height_px: Math.min(height_px, first.height_px) }
}
