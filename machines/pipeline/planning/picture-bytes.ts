// How much memory the pictures of a plan take: each step keeps what it gives for as long as the plan runs.
import type { PictureSize } from '../../cameras/crop.ts'
import type { Plan } from '../graph.ts'
import type { PortType } from '../node-type.ts'
import { firstPicture, givenSize } from './picture-size.ts'
import { typeOfStep } from './type-of-step.ts'

/**
 * Of one plan. While a stream is switched there are two, on a device that may have 2 GB; the engine holds plans to
 * twice as much, by the pictures as they come.
 */
export const MAX_PICTURE_BYTES = 300_000_000

/** Of an output that is watched copies are kept: of one that is being encoded, and of the next. */
const COPIES_OF_OUTPUT = 2

interface Kept extends PictureSize {
  readonly channels: number
}

/** picture: what the source gives. */
export const pictureBytes = (plan: Plan, picture: PictureSize): number => {
  const kept = new Map<number, Kept>()
  let bytes = 0
  for (const step of plan.steps) {
    const is = typeOfStep(step)
    const first = firstPicture(step, is, kept) ?? { ...picture, channels: 1 }
    const size = givenSize(step, is, first)
    bytes += (is.keeps ?? 0) * pixelsOf(first)
    for (const [n, port] of is.outputs.entries()) {
      const slot = step.outputs[n] as number
      if (port.kind !== 'image' || slot < 0) continue
      const given = { ...size, channels: channelsOf(port, first) }
      kept.set(slot, given)
      if (is.size !== 'cut') bytes += bytesOf(given) // a part of a picture is not another one
    }
  }
  for (const { slot } of plan.outputs) {
    const given = kept.get(slot)
    if (given) bytes += COPIES_OF_OUTPUT * bytesOf(given)
  }
  return bytes
}

const pixelsOf = ({ width_px, height_px }: PictureSize) => width_px * height_px
const bytesOf = (kept: Kept) => kept.channels * pixelsOf(kept)

const channelsOf = ({ format }: PortType, first: Kept): number => {
  if (format === 'same') return first.channels
  return format === 'colour' ? 3 : 1
}
