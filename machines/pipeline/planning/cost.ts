// About how long a plan takes for each frame, by what the registry says of its nodes and by the sizes of the pictures
// that they look at.
import type { PictureSize } from '../../cameras/crop.ts'
import type { Plan, PlanStep } from '../graph.ts'
import { firstPicture, givenSize } from './picture-size.ts'
import { typeOfStep } from './type-of-step.ts'

/** Of pictures whose size nobody knows. */
export const DEFAULT_PICTURE: PictureSize = { width_px: 1280, height_px: 800 }

/** forPictures: nothing but pictures needs it, so that it runs only while these are watched. */
export interface StepCost {
  readonly id: string
  readonly type: string
  readonly us: number
  readonly forPictures: boolean
}

/** What a plan is expected to take for a frame. */
export interface Cost {
  /** Of those together that run for each frame. */
  readonly us: number
  /** Of the others, for a frame of which all pictures are watched. */
  readonly pictures_us: number
  /** Of the plan, in its order. */
  readonly steps: readonly StepCost[]
}

/** picture: what the source gives. A machine faster or slower than the registry's takes as much less or more. */
export const costOf = (plan: Plan, picture: PictureSize): Cost => {
  const sizes = new Map<number, PictureSize>()
  const forPictures = stepsForPictures(plan)
  const steps = plan.steps.map((step): StepCost => {
    const is = typeOfStep(step)
    const first = firstPicture(step, is, sizes) ?? picture
    const given = givenSize(step, is, first)
    for (const [n, { kind }] of is.outputs.entries()) if (kind === 'image') sizes.set(step.outputs[n] as number, given)
    const { us, ns_per_px = 0, factor } = is.cost
    const pixels = first.width_px * first.height_px
    return {
      id: step.id,
      type: step.type,
      us: Math.round((us + (ns_per_px * pixels) / 1000) * (factor?.(step.params) ?? 1)),
      forPictures: forPictures.has(step),
    }
  })
  const sum = (some: boolean) => steps.reduce((sum, { us, forPictures }) => (forPictures === some ? sum + us : sum), 0)
  return { us: sum(false), pictures_us: sum(true), steps }
}

/**
 * Against the edges, as Plan::find_needs of the addon. The source is needed by recordings and previews, even if no node
 * reads it.
 */
const stepsForPictures = ({ steps, outputs }: Plan): ReadonlySet<PlanStep> => {
  const slots = (isPicture: boolean) =>
    outputs.filter(({ kind }) => (kind === 'image') === isPicture).map(({ slot }) => slot)
  const [byResults, byPictures] = [new Set(slots(false)), new Set(slots(true))]
  const found = new Set<PlanStep>()
  for (const step of steps.toReversed()) {
    const isNeeded = (by: ReadonlySet<number>) => step.outputs.some((slot) => slot >= 0 && by.has(slot))
    const isForPictures = step.type !== 'source' && !isNeeded(byResults) && isNeeded(byPictures)
    if (isForPictures) found.add(step)
    for (const slot of step.inputs) (isForPictures ? byPictures : byResults).add(slot)
  }
  return found
}
