// How wide a lens sees, for engines too, which load no schemas.
import type { Intrinsics } from './manifest.ts'

/**
 * Focal length in picture widths of a 64 degree lens: an uncalibrated camera's angles get the right sign and about the
 * right size.
 */
export const ASSUMED_FOCAL_WIDTHS = 0.8

/** Between the outer edges of the first and the last pixel, without distortion, to a hundredth of a degree. */
export const fieldOfViewDeg = ({ width_px, height_px, fx_px, fy_px, cx_px, cy_px }: Intrinsics) => ({
  hfov_deg: angleDeg(width_px, cx_px, fx_px),
  vfov_deg: angleDeg(height_px, cy_px, fy_px),
})

const DEG = 180 / Math.PI
const HUNDREDTH = 100

const angleDeg = (size: number, centre: number, focal: number): number => {
  const angle = DEG * (Math.atan((centre + 0.5) / focal) + Math.atan((size - centre - 0.5) / focal))
  return Math.round(angle * HUNDREDTH) / HUNDREDTH + 0
}
