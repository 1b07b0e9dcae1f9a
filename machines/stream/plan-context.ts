// Where the pipeline of a stream runs, for the planner's warnings.
import type { PictureSize } from '../cameras/crop.ts'
import type { PlanContext } from '../pipeline/examine.ts'
import type { CanonicalManifest, Intrinsics } from './manifest.ts'
import { fpsOfSource, isComputed, sizeOfSource, waitsForPipeline } from './sources/traits.ts'

/** What an engine said of the camera when it opened it. */
export interface OpenedCamera extends PictureSize {
  readonly fps: number
  readonly intrinsics: Intrinsics | null
}

/** opened: of the newest opening; undefined while there was none, and the manifest says what it can. */
export const planContextOf = (
  { source, crop, intrinsics }: CanonicalManifest,
  opened: OpenedCamera | undefined,
): Omit<PlanContext, 'unavailable'> => {
  const fps = opened?.fps ?? fpsOfSource(source) ?? null
  const hasOwn = isComputed(source) || (opened?.intrinsics ?? null) !== null
  return {
    picture: opened ? sizeIn(opened) : (crop ?? sizeOfSource(source) ?? null),
    fps: waitsForPipeline(source) ? null : fps,
    intrinsics: hasOwn || intrinsics !== undefined,
  }
}

const sizeIn = ({ width_px, height_px }: PictureSize): PictureSize => ({ width_px, height_px })
