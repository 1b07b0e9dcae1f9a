// The lens of one mode of a camera, computed of that of another: which lenses it may be, and whether pictures of the
// new mode agree. Names of modes lie, and pictures do not.
import type { PictureSize } from '../cameras/crop.ts'
import { oneLine } from '../schema/one-line.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import type { Calibration, CalibrationReason, SolvedCalibration } from './calibration.ts'

/** A lens that it may be. */
export interface DerivedLens {
  readonly how: 'scaled' | 'cut above and below' | 'cut left and right' | 'cut all around'
  /** Pixels of the new mode for one of the other. */
  readonly scale: number
  readonly intrinsics: Intrinsics
}

/** A sensor that is read to its middle part, the picture then scaled: distortion is of the ray, and stays. */
const lensAt = (from: Intrinsics, to: PictureSize, scale: number): Intrinsics => {
  const cut = {
    x: (scale * from.width_px - to.width_px) / 2,
    y: (scale * from.height_px - to.height_px) / 2,
  }
  return {
    width_px: to.width_px,
    height_px: to.height_px,
    fx_px: scale * from.fx_px,
    fy_px: scale * from.fy_px,
    cx_px: scale * (from.cx_px + 0.5) - 0.5 - cut.x,
    cy_px: scale * (from.cy_px + 0.5) - 0.5 - cut.y,
    distortion: [...from.distortion],
  }
}

const ALIKE = 0.002 // of the scale: sizes are whole pixels

/** All lenses that it may be in a mode of another size. */
export const derivedLenses = (from: Intrinsics, to: PictureSize): readonly DerivedLens[] => {
  const [byWidth, byHeight] = [to.width_px / from.width_px, to.height_px / from.height_px]
  const at = (how: DerivedLens['how'], scale: number): DerivedLens => ({
    how,
    scale,
    intrinsics: lensAt(from, to, scale),
  })
  const isSameShape = Math.abs(byWidth / byHeight - 1) < ALIKE
  return [
    ...(isSameShape
      ? [at('scaled', byWidth)]
      : [at('cut above and below', byWidth), at('cut left and right', byHeight)]),
    ...(byWidth <= 1 && byHeight <= 1 && Math.abs(byWidth - 1) > ALIKE ? [at('cut all around', 1)] : []),
  ]
}

/** By how much worse pictures may fit a derived lens than one of their own. */
export const MAX_DERIVED_RATIO = 1.15

/** What came of trying one. */
export interface TriedLens {
  readonly lens: DerivedLens
  /** rms under it, by that under a lens of the pictures' own. */
  readonly ratio: number
}

/** The document of a lens that was derived. solved: what the pictures of the new mode say. */
export const derivedCalibration = (
  solved: SolvedCalibration,
  from: Pick<Calibration, 'verdict' | 'deviations' | 'camera_uid' | 'camera_name'> & { readonly id: string },
  { lens: { how, scale, intrinsics }, ratio }: TriedLens,
): SolvedCalibration => {
  const isRight = ratio < MAX_DERIVED_RATIO
  const lengths = 4 // fx, fy, cx, cy: the distortion has no unit
  return {
    ...solved,
    origin: 'derived',
    camera_uid: solved.camera_uid ?? from.camera_uid,
    camera_name: solved.camera_name ?? from.camera_name,
    intrinsics,
    deviations:
      from.deviations?.map((each, at) =>
        each !== null && at < lengths ? Number((each * scale).toPrecision(6)) : each,
      ) ?? null,
    covariance: null,
    map: null,
    bend_mm: null,
    stretch: null,
    verdict: isRight ? from.verdict : 'refused',
    reasons: [isRight ? fits(from.id, how, ratio) : fitsNot(from.id, ratio)],
    leave_out: [],
    source: { calibration_id: from.id },
  }
}

const fits = (id: string, how: DerivedLens['how'], ratio: number): CalibrationReason => ({
  code: 'derived',
  allows: 'good',
  values: { ratio: Number(ratio.toFixed(3)) },
  detail: oneLine`
    it is derived from ${id}, whose picture is ${how} in this mode; the pictures fit it ${ratio.toFixed(2)} times as
    badly as a lens of their own, and ${MAX_DERIVED_RATIO} is allowed
  `,
})

const fitsNot = (id: string, ratio: number): CalibrationReason => ({
  code: 'other_mode',
  allows: 'refused',
  values: { ratio: Number(ratio.toFixed(3)) },
  detail: oneLine`
    the pictures fit the lens that is derived from ${id} ${ratio.toFixed(1)} times as badly as one of their own: this
    mode shows another part of the sensor than its size says; calibrate in this mode
  `,
})
