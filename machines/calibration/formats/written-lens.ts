// What the writers of the formats have in common.
import { oneLine } from '../../schema/one-line.ts'
import type { Intrinsics } from '../../stream/manifest.ts'
import { CALIBRATION_FORMATS, type CalibrationFormat } from './lens-draft.ts'

/** A lens that is to be written to a file. */
export interface WrittenLens {
  readonly intrinsics: Intrinsics
  /** null: nobody knows. */
  readonly rms_px: number | null
  /** What people call it, or its camera. */
  readonly name: string
}

/** The text of a file, or in a sentence why the format has no room for the lens. */
export type Written = { readonly text: string } | { readonly detail: string }

/** fx 0 cx, 0 fy cy, 0 0 1. */
export const matrixOf = ({ fx_px, fy_px, cx_px, cy_px }: Intrinsics): readonly number[] => [
  fx_px,
  0,
  cx_px,
  0,
  fy_px,
  cy_px,
  0,
  0,
  1,
]

/** So many coefficients, zeros for those that the lens does not have; a sentence where it has more. */
export const coefficientsOf = (
  { distortion }: Intrinsics,
  count: 4 | 5 | 8,
  format: CalibrationFormat,
): readonly number[] | string => {
  const used = distortion.findLastIndex((each) => each !== 0) + 1
  if (used <= count) return Array.from({ length: count }, (_, n) => distortion[n] ?? 0)
  return oneLine`
    the lens has ${used > 5 ? 8 : used} coefficients, and ${CALIBRATION_FORMATS[format]} has room for ${count};
    calibrate with coefficients=${count === 8 ? 8 : count === 5 ? 5 : 4}, or take another format
  `
}

/** Five coefficients where they are enough, else eight. */
export const fiveOrEight = ({ distortion }: Intrinsics): 5 | 8 =>
  distortion.slice(5).some((each) => each !== 0) ? 8 : 5
