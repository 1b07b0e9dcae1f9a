// What a fake engine says of the camera that it has opened.

import { type Crop, cropText, type PictureSize } from '../../../machines/cameras/crop.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Intrinsics } from '../../../machines/stream/manifest.ts'
import type { EngineOpened, EngineTask } from '../port.ts'
import { layoutOf } from '../protocol/results.ts'
import { captureOf, fpsOf, hasTruth, sizeOf } from './sources.ts'

/** The answer to an opening. A crop is the engine's: a camera that does not exist has no sensor. */
export const openedBy = ({ source, crop = null, intrinsics, plan }: EngineTask): EngineOpened | Fault => {
  const picture = sizeOf(source)
  if (crop && (crop.x_px + crop.width_px > picture.width_px || crop.y_px + crop.height_px > picture.height_px))
    return { code: 'camera.mode', detail: `the crop of the stream, ${cropText(crop)}, does not lie in the picture` }
  const lens = intrinsics ?? (hasTruth(source) ? lensOf(picture) : null)
  return {
    width_px: crop?.width_px ?? picture.width_px,
    height_px: crop?.height_px ?? picture.height_px,
    crop: crop && { ...crop, by: 'engine', sensor: null, picture },
    fps: fpsOf(source),
    ...captureOf(source),
    intrinsics: lens && crop ? seenThrough(lens, crop) : lens,
    layout: layoutOf(plan, hasTruth(source)),
  }
}

const seenThrough = (lens: Intrinsics, { x_px, y_px, width_px, height_px }: Crop): Intrinsics => ({
  ...lens,
  width_px,
  height_px,
  cx_px: lens.cx_px - x_px,
  cy_px: lens.cy_px - y_px,
})

/** Of a camera that nobody has calibrated. */
export const lensOf = ({ width_px, height_px }: PictureSize): Intrinsics => ({
  width_px,
  height_px,
  fx_px: width_px * 0.65,
  fy_px: width_px * 0.65,
  cx_px: (width_px - 1) / 2,
  cy_px: (height_px - 1) / 2,
  distortion: [],
})
