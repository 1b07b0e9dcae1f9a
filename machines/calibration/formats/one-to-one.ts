// How far from the middle a lens shows each place once.
import type { Intrinsics } from '../../stream/manifest.ts'

const STEP = 0.002
const MAX_RADIUS = 20

/**
 * The share of the way from the centre to the furthest corner of the picture, up to 1, that the radial part of the
 * distortion reaches before it turns back.
 */
export const oneToOneShare = ({ fx_px, fy_px, cx_px, cy_px, width_px, height_px, distortion }: Intrinsics): number => {
  const [k1 = 0, k2 = 0, , , k3 = 0, k4 = 0, k5 = 0, k6 = 0] = distortion
  const furthest = Math.hypot(
    Math.max(cx_px, width_px - 1 - cx_px) / fx_px,
    Math.max(cy_px, height_px - 1 - cy_px) / fy_px,
  )
  let seen = 0
  for (let radius = STEP; radius < MAX_RADIUS; radius += STEP) {
    const square = radius * radius
    const above = 1 + square * (k1 + square * (k2 + square * k3))
    const below = 1 + square * (k4 + square * (k5 + square * k6))
    const next = (radius * above) / below
    if (!(below > 0 && next > seen)) return seen / furthest
    if (next >= furthest) return 1
    seen = next
  }
  return seen / furthest
}
