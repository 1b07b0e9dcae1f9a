// Changed versions of pictures.

import { Edit, MAX_EDITS } from '../../machines/media/edits.ts'
import { mediaChanged } from '../../machines/media/events.ts'
import { MediaItem, mediaExample } from '../../machines/media/item.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { MediaStore } from '../../native/media/port.ts'
import { command } from '../endpoints/command.ts'
import { showMadeItem, toDone } from './media-answer.ts'
import { WRITE_FAULTS } from './side-cars.ts'
import { mediaParams as params } from './wire.ts'

const ImageEdits = Type.Object(
  { edits: Type.Array(Edit, { minItems: 1, maxItems: MAX_EDITS, description: 'One after the other.' }) },
  { additionalProperties: false, title: 'ImageEdits', description: 'How a picture is to be changed.' },
)

/** The row that edits a picture. */
export const editRow = (store: MediaStore) =>
  command('POST', '/v1/media/:name/image/edits', {
    params,
    to: 'media',
    summary: 'Make a changed version of a picture',
    about: oneLine`
      The answer is the new item, called after the first: \`front-edit.jpg\`, then \`front-edit-2.jpg\`. Its
      \`edited_from\` says what it was made of, which stays until it is deleted. A picture that has a note of which
      side is up (EXIF in a JPEG or a PNG) is set upright first, as browsers show it, and places are counted in that;
      the new version has no such notes. A JPEG whose sides are whole blocks is turned and mirrored without loss. What
      lies beside the picture stays there.
    `,
    publishes: [mediaChanged],
    body: {
      schema: ImageEdits,
      example: {
        edits: [
          { op: 'crop', x_px: 0, y_px: 0, width_px: 32, height_px: 24 },
          { op: 'rotate', degrees: 90 },
        ],
      },
    },
    answer: {
      status: 'ok',
      schema: MediaItem,
      ...showMadeItem(store),
      example: {
        ...mediaExample,
        name: 'front-20260131-142501-edit.jpg',
        origin: 'edit',
        edited_from: mediaExample.name,
      },
    },
    // Not by the keeper of the media: a program does it and takes seconds, which would hold up all orders to the
    // keeper.
    send: async ({ params: { name }, body, mark }) => toDone(await store.edit(name, body.edits, mark)),
    faults: ['media.not_found', 'media.not_ready', 'media.invalid', 'device.failed', ...WRITE_FAULTS],
  })
