// How far a board is stretched in one direction, found by pictures in which it was turned: a camera that sees widths
// too large does so however the board is held, and a board that is stretched shows it along its own sides.
import type { Solution, SolvedView } from './solution.ts'
import type { Stretch } from './verdict.ts'

/** By how much the squares are taken to be wider and narrower, to see how the pictures fit then. */
export const STRETCH_STEP = 0.01

const MIN_TURN = Math.sin(Math.PI / 4)

/** Of the board in the picture, radians. */
const turnOf = ({ pose }: SolvedView): number => {
  const [w = 1, x = 0, y = 0, z = 0] = pose.slice(3)
  return Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
}

/** Whether it was turned far enough between any two pictures. */
export const isTurned = ({ views }: Pick<Solution, 'views'>): boolean => {
  const turns = views.map(turnOf)
  return turns.some((one) => turns.some((other) => Math.abs(Math.sin(one - other)) > MIN_TURN))
}

/** rms of the same corners with squares of three widths, a step apart. */
export interface FitsOfWidths {
  /** Of the middle one, against what was said. */
  readonly share: number
  readonly narrower: number
  readonly middle: number
  readonly wider: number
  readonly corners: number
}

/** The width that fits best, by a parabola; null: all fit alike, or it makes no sense. */
export const stretchByFits = ({ share: from, narrower, middle, wider, corners }: FitsOfWidths): Stretch | null => {
  const [minus, zero, plus] = [narrower, middle, wider].map((rms) => rms * rms * corners) as [number, number, number]
  const curve = (plus + minus - 2 * zero) / (2 * STRETCH_STEP * STRETCH_STEP)
  if (!(curve > 0)) return null
  const further = -(plus - minus) / (2 * STRETCH_STEP) / (2 * curve)
  const share = from + further
  const best = Math.max(0, zero - curve * further * further)
  const deviation = Math.sqrt(best / (2 * corners) / curve)
  return Number.isFinite(share) && Number.isFinite(deviation)
    ? { share: Number(share.toFixed(5)), deviation: Number(deviation.toFixed(5)) }
    : null
}
