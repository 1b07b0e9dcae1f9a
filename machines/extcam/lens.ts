// From pixels to the ideal image plane (x = X/Z, y = Y/Z). Runs for each corner of each tag of a frame: no allocation.
import type { CropPlace } from '../cameras/crop.ts'
import { ASSUMED_FOCAL_WIDTHS } from '../stream/field-of-view.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import { rightDeg, upDeg } from './geometry.ts'

/**
 * A camera model made ready. Pixels have the top-left corner of the image at (0, 0), as results do: of the part, where
 * the stream has one.
 */
export interface Lens {
  readonly fx: number
  readonly fy: number
  readonly cx: number
  readonly cy: number
  readonly k1: number
  readonly k2: number
  readonly k3: number
  readonly k4: number
  readonly k5: number
  readonly k6: number
  readonly p1: number
  readonly p2: number
  /** Where the part begins in the whole picture, pixels. */
  readonly cornerX: number
  readonly cornerY: number
  /** Where the crosshair, the centre of the whole picture, lies: degrees right of and above the principal axis. */
  readonly crosshairRightDeg: number
  readonly crosshairUpDeg: number
  /** Of the whole picture, pixels. */
  readonly wholeWidth: number
  readonly wholeHeight: number
  readonly wholePx: number
  /** How much of it the part is, 0 to 1. */
  readonly partShare: number
  /** What one unit of area on the ideal plane is of the whole picture, 0 to 1. */
  readonly shareOfUnitArea: number
}

const ITERATIONS = 5 // of the inverse distortion, as OpenCV does by default

/**
 * Intrinsics made ready for pictures of this size; null: an assumed lens without distortion.
 *
 * crop: none: the pictures are whole. The vendor's own crop narrows the search alone: crosshair, areas and pixels stay
 * in the whole picture, so a crop of ours changes none of what a robot reads.
 */
export const lensOf = (
  intrinsics: Intrinsics | null,
  widthPx: number,
  heightPx: number,
  crop?: CropPlace | null,
): Lens => {
  const { x_px: cornerX, y_px: cornerY } = crop ?? { x_px: 0, y_px: 0 }
  const { width_px: wholeWidth, height_px: wholeHeight } = crop?.picture ?? { width_px: widthPx, height_px: heightPx }
  const middleX = wholeWidth / 2 - cornerX
  const middleY = wholeHeight / 2 - cornerY
  const fx = intrinsics?.fx_px ?? wholeWidth * ASSUMED_FOCAL_WIDTHS
  const fy = intrinsics?.fy_px ?? fx
  const cx = intrinsics ? intrinsics.cx_px + 0.5 : middleX // OpenCV counts from the centre of the first pixel
  const cy = intrinsics ? intrinsics.cy_px + 0.5 : middleY
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0] = intrinsics?.distortion ?? []
  return {
    fx,
    fy,
    cx,
    cy,
    k1,
    k2,
    k3,
    k4,
    k5,
    k6,
    p1,
    p2,
    cornerX,
    cornerY,
    crosshairRightDeg: rightDeg((middleX - cx) / fx, 1),
    crosshairUpDeg: upDeg((middleY - cy) / fy, 1),
    wholeWidth,
    wholeHeight,
    wholePx: wholeWidth * wholeHeight,
    partShare: (widthPx * heightPx) / (wholeWidth * wholeHeight),
    shareOfUnitArea: (fx * fy) / (wholeWidth * wholeHeight),
  }
}

/** Writes the point of the ideal plane that pixel (u, v) shows to out[offset] and out[offset + 1]. */
export const undistort = (lens: Lens, u: number, v: number, out: Float64Array, offset: number): void => {
  const { k1, k2, k3, k4, k5, k6, p1, p2 } = lens
  const x0 = (u - lens.cx) / lens.fx
  const y0 = (v - lens.cy) / lens.fy
  let x = x0
  let y = y0
  for (let n = 0; n < ITERATIONS; n++) {
    const r2 = x * x + y * y
    const shrink = (1 + ((k6 * r2 + k5) * r2 + k4) * r2) / (1 + ((k3 * r2 + k2) * r2 + k1) * r2)
    const dx = 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    const dy = p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    x = (x0 - dx) * shrink
    y = (y0 - dy) * shrink
  }
  // Where the model does not hold the iteration runs away: the distorted point is then the better guess. NaN fails the
  // test too.
  const converged = x * x + y * y < 100 * (1 + x0 * x0 + y0 * y0)
  out[offset] = converged ? x : x0
  out[offset + 1] = converged ? y : y0
}
