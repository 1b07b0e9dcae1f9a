// Where the pipeline of a stream runs, for the planner's warnings.
import type { PictureSize } from '../cameras/crop.ts'
import type { PlanContext } from '../pipeline/examine.ts'
import type { CanonicalManifest, Intrinsics } from './manifest.ts'
import { sizeOfSource } from './sources/source-size.ts'

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
  const isTimed = !('pace' in source && source.pace === 'lossless') // else the pictures wait for the pipeline
  const fps = opened?.fps ?? ('fps' in source ? (source.fps ?? null) : null)
  const hasOwn = source.backend === 'synthetic' || (opened?.intrinsics ?? null) !== null
  return {
    picture: opened ? sizeIn(opened) : (crop ?? sizeOfSource(source) ?? null),
    fps: isTimed ? fps : null,
    intrinsics: hasOwn || intrinsics !== undefined,
  }
}

const sizeIn = ({ width_px, height_px }: PictureSize): PictureSize => ({ width_px, height_px })
