// Media on the wire: what is asked of the list, and examples.

import { MEDIA_KINDS } from '../../machines/media/media-type.ts'
import { MediaName } from '../../machines/media/name.ts'
import { MEDIA_ORDERS } from '../../machines/media/query.ts'
import { about } from '../../machines/schema/about.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'

const MAX_ITEMS = 500 // as in every list
const MAX_TIME_MS = 8.64e15 // the last day that JavaScript can tell
const DEFAULT_ITEMS = 100 // a page of a gallery; an item has about 700 bytes

export const mediaParams = { name: MediaName }

/** Which items, in which order, from where on. */
export const mediaQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ITEMS,
      default: DEFAULT_ITEMS,
      description: 'The most items to answer with.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The `next_cursor` of the page before, in the same order; default: the first page.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...MEDIA_ORDERS], {
      default: '-created',
      description: 'With -: the other way round. Default: the newest first.',
    }),
  ),
  kind: Type.Optional(Type.Enum([...MEDIA_KINDS], { description: 'Only these: picture, recording or model.' })),
  stream_id: Type.Optional(about(StreamId, 'Only those of this stream, be it there any more or not.')),
  created_from_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_TIME_MS, description: 'Only those begun then or later, Unix time.' }),
  ),
  created_before_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_TIME_MS, description: 'Only those begun earlier, Unix time.' }),
  ),
}

export { DEFAULT_ITEMS, MAX_ITEMS }

/** What people call what they send. */
export const uploadQuery = {
  name: Type.Optional(
    Type.String({
      pattern: '^[^/\\\\\\p{C}]{1,200}$',
      description: oneLine`
        What it is called: 1 to 200 characters that can be seen, without / and \\. The name of the item is made of it.
        Default: of the time.
      `,
    }),
  ),
}

/** A picture of one pixel. */
export const pngExample = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)
export const labelExample = Buffer.from('0 0.5 0.5 0.25 0.25\n')

/** A label as lines. */
export const LabelLines = Type.String({
  title: 'MediaLabelLines',
  description: `What is to be seen in a picture, a thing on each line as YOLO has it: its class and the centre, width \
and height, or the corners of a polygon, all from 0 to 1. Beside a model: the names of its classes, the first of them \
that of class 0.`,
})

/** A label as JSON: whatever the program that labels pictures writes. */
export const LabelDocument = Type.Union(
  [
    Type.Record(Type.String(), Type.Unknown(), { description: 'One object.' }),
    Type.Array(Type.Unknown(), { description: 'Or several things.' }),
  ],
  {
    title: 'MediaLabelDocument',
    description: 'What is to be seen in a picture, in the form of the program that labels it; kept as it is sent.',
  },
)
export const labelDocumentExample = { objects: [{ class: 'note', box_px: [120, 80, 64, 60] }] }
export const imuExample = Buffer.from('{"pts_us":0,"gyro_rad_s":[0,0,0.1],"accel_m_s2":[0,0,9.81]}\n')
