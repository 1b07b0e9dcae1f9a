// Plans whose pictures would fill the memory of a device are refused here, with a reason for people.

import type { PictureSize } from '../../cameras/crop.ts'
import { oneLine } from '../../schema/one-line.ts'
import type { Finding } from '../diagnostic.ts'
import type { Plan } from '../graph.ts'
import { MAX_PICTURE_BYTES, pictureBytes } from './picture-bytes.ts'

/** picture: what the source gives. */
export const tooLargePictures = (plan: Plan, picture: PictureSize): readonly Finding[] => {
  const bytes = pictureBytes(plan, picture)
  if (bytes <= MAX_PICTURE_BYTES) return []
  const [mb, most] = [Math.ceil(bytes / 1e6), MAX_PICTURE_BYTES / 1e6]
  return [
    {
      code: 'pictures.too_large',
      of: 'the graph',
      pointer: '/nodes',
      message: oneLine`
        keeps pictures of about ${mb} MB, of a camera with ${picture.width_px}x${picture.height_px} pixels, and ${most}
        MB is the most; let fewer nodes give pictures, or smaller ones
      `,
    },
  ]
}
