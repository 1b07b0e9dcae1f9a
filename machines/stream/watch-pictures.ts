// Asking a stream for its pictures.
import type { Fault } from '../errors/fault.ts'
import type { CanonicalManifest } from './manifest.ts'
import { whyNoPicture } from './outputs.ts'
import type { PictureBoard, PictureWant, PictureWatch } from './picture.ts'

/** How somebody wants the pictures, as the API is told. */
export interface PictureLook {
  /** Of the pipeline; none: the camera's. */
  readonly output?: string
  readonly max_width?: number
  readonly quality?: number
  readonly overlay?: boolean
}

/** A stream whose pictures can be watched. */
export interface Watchable {
  /** What is to run. */
  readonly wanted: { readonly value: CanonicalManifest }
  readonly viewers: { readonly pictures: PictureBoard }
}

/**
 * A share of the pictures of a stream; the caller releases it. fps 0: all of them. isMetered: within the bandwidth
 * budget. has_results: each with the result of its frame.
 */
export const watchPictures = (
  { wanted, viewers }: Watchable,
  { max_width = 0, quality = 0, overlay = false, output = '' }: PictureLook,
  {
    fps = 0,
    isMetered = false,
    has_results = false,
  }: Pick<Partial<PictureWant>, 'fps' | 'isMetered' | 'has_results'> = {},
): PictureWatch | Fault => {
  const why = output === '' ? undefined : whyNoPicture(wanted.value, output)
  return (
    why ??
    viewers.pictures.watch({ output, max_width_px: max_width, quality, overlay, fps, isMetered, has_results }) ?? {
      code: 'picture.too_many_kinds',
      detail: 'too many outputs, sizes, qualities and overlays of it are being watched; ask for one of those',
    }
  )
}
