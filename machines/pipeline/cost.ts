// About how long a plan takes for each frame, by what the registry says of its nodes and by the sizes of the pictures that they look at.
import type { PictureSize } from '../cameras/crop.ts'
import type { Plan, PlanStep } from './graph.ts'
import type { NodeType } from './node-type.ts'
import { nodeTypes } from './registry.ts'

/** Of pictures whose size nobody knows. */
export const USUAL_PICTURE: PictureSize = { width_px: 1280, height_px: 800 }

/** steps: of the plan, in its order. us: of all together. */
export interface Cost {
  readonly us: number
  readonly steps: readonly { readonly id: string; readonly type: string; readonly us: number }[]
}

/** picture: what the source gives. Whoever has a faster or slower machine than the registry's takes as much less or more. */
export const costOf = (plan: Plan, picture: PictureSize): Cost => {
  const sizes = new Map<number, PictureSize>()
  const steps = plan.steps.map((step) => {
    const is = nodeTypes[step.type] as NodeType
    const first = firstPicture(step, is, sizes) ?? picture
    const given = sizeOf(step, is, first)
    for (const [n, { kind }] of is.outputs.entries()) if (kind === 'image') sizes.set(step.outputs[n] as number, given)
    const { us, ns_per_px = 0, factor } = is.cost
    const pixels = first.width_px * first.height_px
    return {
      id: step.id,
      type: step.type,
      us: Math.round((us + (ns_per_px * pixels) / 1000) * (factor?.(step.params) ?? 1)),
    }
  })
  return { us: steps.reduce((sum, { us }) => sum + us, 0), steps }
}

const firstPicture = ({ inputs }: PlanStep, is: NodeType, sizes: ReadonlyMap<number, PictureSize>) => {
  const n = is.inputs.findIndex(({ kind }) => kind === 'image')
  return n < 0 ? undefined : sizes.get(inputs[n] as number)
}

const sizeOf = ({ params }: PlanStep, { size }: NodeType, first: PictureSize): PictureSize => {
  if (!size) return first
  const width_px = Number(params.width_px ?? first.width_px)
  const height_px = Number(params.height_px ?? first.height_px)
  if (size === 'set') return { width_px, height_px }
  return { width_px: Math.min(width_px, first.width_px), height_px: Math.min(height_px, first.height_px) }
}
