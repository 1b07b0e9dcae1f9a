// How large the pictures of a source are, before it has given any.
import type { PictureSize } from '../../cameras/crop.ts'
import type { SourceDocument } from './source.ts'

/** The picture that a source gives, where the manifest says it. undefined: only its camera or files know. */
export const sizeOfSource = (source: SourceDocument): PictureSize | undefined => {
  if (source.backend !== 'synthetic' && source.backend !== 'v4l2') return undefined
  const { width_px, height_px } = source
  return width_px === undefined || height_px === undefined ? undefined : { width_px, height_px }
}
