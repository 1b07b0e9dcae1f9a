// Pictures of a stream: one at a time, or live.

import { FRESH_PICTURE } from '../../../actors/stream/tokens.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import type { Given } from '../../../machines/token.ts'
import { blob } from '../../endpoints/blob.ts'
import type { Endpoint, RowBase } from '../../endpoints/endpoint.ts'
import { read } from '../../endpoints/read.ts'
import { ofStream, ofStreamNeeds } from '../of-stream.ts'
import { streamParams } from '../wire.ts'
import { fps } from './frames-form.ts'
import { ownFrames } from './own-frames.ts'
import { PICTURE_HEADERS, PREVIEW_MEDIA_TYPE, pictureHeaders } from './picture-part.ts'
import { pictureQuery } from './picture-query.ts'
import type { Previews } from './preview.ts'
import { preview } from './preview-row.ts'
import { previewNeeds } from './show-preview.ts'
import { ABOUT_VIDEO_PACKETS, VIDEO_MEDIA_TYPE } from './video-packet.ts'

/** The needs of the rows of pictures. */
export const pictureNeeds = {
  ...ofStreamNeeds,
  ...previewNeeds,
  freshPicture: FRESH_PICTURE,
}
type PictureParts = Given<typeof pictureNeeds>

const Format = Type.Object(
  {
    media_type: Type.Literal('image/jpeg'),
    preview_media_type: Type.String({ description: 'Of the preview, with its boundary.' }),
    source: Type.Union(
      [
        Type.Object(
          {
            pixel_format: Type.String(),
            width_px: Type.Integer({ description: 'Of the picture.' }),
            height_px: Type.Integer({ description: 'Of the picture.' }),
            fps: Type.Number({ description: 'Pictures per second.' }),
          },
          { additionalProperties: false, title: 'SourceFormat', description: 'Pictures as the camera gives them.' },
        ),
        Type.Null(),
      ],
      { description: 'null until the camera was opened.' },
    ),
  },
  { additionalProperties: false, title: 'PictureFormat', description: 'The format of the pictures of a stream.' },
)

/** What the paths to pictures differ in. refuse: why a stream is not shown there. */
interface PictureRowOptions extends Pick<RowBase, 'access'> {
  readonly refuse?: (id: string) => Fault | undefined
}

/** The rows that show pictures. path: of all streams. previews: who watches. */
export const shownRows = (
  parts: PictureParts,
  previews: Previews,
  path: string,
  { refuse = () => undefined, ...options }: PictureRowOptions = {},
): readonly Endpoint[] => [
  blob('GET', `${path}/:id/frame` as '/:id', {
    ...options,
    params: streamParams,
    summary: 'One picture',
    about: 'Waits up to 2 s for a fresh one: of the camera, or of an output of the pipeline.',
    query: pictureQuery,
    mediaType: 'image/jpeg',
    headers: PICTURE_HEADERS,
    get: async ({ directory, params, query }) => {
      const picture = refuse(params.id) ?? (await parts.freshPicture(params.id, query))
      return isFault(picture) ? picture : { bytes: picture.jpeg, headers: pictureHeaders(picture, directory.clock) }
    },
    faults: [
      'stream.not_found',
      'stream.no_picture',
      'picture.too_many_kinds',
      'output.not_found',
      'output.other_kind',
    ],
  }),

  preview(`${path}/:id/preview` as '/:id', parts, previews, {
    ...options,
    params: streamParams,
    summary: 'Live pictures (MJPEG, or H.264)',
    about: oneLine`
      As MJPEG each part has a Content-Length, X-Timestamp, X-Sequence and X-Captured-Us, which say what they say of
      one picture (\`/frame\`). A viewer that is slow misses pictures, the newest wins. While none comes, parts with
      \`X-Placeholder: 1\` say why; they have neither times nor a sequence. The connection outlives restarts of the
      engine and other pipelines, and ends when the stream is deleted. An output of the pipeline that nobody watches
      costs nothing: it is not encoded, and steps that only pictures need are not run. Over the network the service
      may have a limit for all previews together: what does not fit is made slower, then smaller (in grey); the status
      of the stream says so. H.264 counts with all that it may take, and a viewer of it for whom that leaves no room
      is refused (\`viewer.too_many\`).
    `,
    query: {
      ...pictureQuery,
      fps,
      captured: Type.Optional(
        Type.Boolean({
          default: false,
          description: oneLine`
            With h264: each packet with the \`captured_us\` of its frame (flag 16), by which the results of that very
            frame are known. MJPEG says it in \`X-Captured-Us\`.
          `,
        }),
      ),
      codec: Type.Optional(
        Type.Enum(['mjpeg', 'h264'], {
          default: 'mjpeg',
          description: oneLine`
            h264: encoded once for all who watch, in full size, at most 2 Mbit/s; of the camera's picture alone. The
            other parameters say nothing then. The answer is ${VIDEO_MEDIA_TYPE}. ${ABOUT_VIDEO_PACKETS}
          `,
        }),
      ),
    },
    look: ({ params, query }) => refuse(params.id) ?? { id: params.id, ...query },
  }),

  ownFrames(parts, previews, path, { ...options, refuse }),
]

/** Everything about the pictures of streams. */
export const pictureRows = (parts: PictureParts, previews: Previews) => [
  ...shownRows(parts, previews, '/v1/streams'),

  read('GET', '/v1/streams/:id/format', {
    params: streamParams,
    summary: 'Format of the pictures',
    answer: Format,
    example: {
      media_type: 'image/jpeg',
      preview_media_type: PREVIEW_MEDIA_TYPE,
      source: { pixel_format: 'gray8', width_px: 1280, height_px: 800, fps: 30 },
    },
    get: ({ params }) =>
      ofStream(
        parts,
        params.id,
        ({
          engine: {
            opened: { value: opened },
          },
        }) => ({
          media_type: 'image/jpeg',
          preview_media_type: PREVIEW_MEDIA_TYPE,
          source: opened
            ? {
                pixel_format: opened.pixel_format,
                width_px: opened.width_px,
                height_px: opened.height_px,
                fps: opened.fps,
              }
            : null,
        }),
      ),
    faults: ['stream.not_found'],
  }),
]
