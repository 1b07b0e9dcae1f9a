// Pictures that are worse than the others, though not so much that the solver leaves them out by itself.
import { median } from './median.ts'
import type { Solution } from './solution.ts'
import { type CalibrationTask, MIN_CALIBRATION_PICTURES } from './task.ts'

const DOUBTFUL = 1.5 // times the median; the solver leaves out from 2 on
const MAX_SHARE = 0.25

/** Their places among all pictures, the worst first; whether it is better without them the solver has to say. */
export const doubtfulPictures = ({ views }: Solution, { used }: CalibrationTask): readonly number[] => {
  const counted = views.flatMap((view, at) => (view.is_used ? [{ rms: view.rms_px, place: used[at] as number }] : []))
  const middle = median(counted.map(({ rms }) => rms))
  const maxLeftOut = Math.min(Math.floor(counted.length * MAX_SHARE), counted.length - MIN_CALIBRATION_PICTURES)
  return counted
    .filter(({ rms }) => rms > DOUBTFUL * middle)
    .sort((one, other) => other.rms - one.rms)
    .slice(0, Math.max(0, maxLeftOut))
    .map(({ place }) => place)
}

/** Those that the solver has left out by itself. */
export const leftOutPictures = ({ views }: Solution, { used }: CalibrationTask): readonly number[] =>
  views.flatMap(({ is_used }, at) => (is_used ? [] : [used[at] as number]))

/** Whether a lens is known better than another of more pictures. */
export const isBetter = (without: Solution, all: Solution): boolean =>
  without.mean_px !== null && (all.mean_px === null || without.mean_px < all.mean_px)
