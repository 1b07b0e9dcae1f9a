// A video as a source: a recording of this device, or a file.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import Type from '../../schema/type.ts'

const strict = { additionalProperties: false } as const

/** A file or folder of the device. */
export const FilePath = Type.String({ minLength: 1, maxLength: 4096 })

const MAX_MEDIA_NAME_LENGTH = 84

const fileFields = {
  backend: Type.Literal('file'),
  media: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_MEDIA_NAME_LENGTH,
      description: 'The name of a recording of `GET /v1/media`. One of `media` and `path`.',
      examples: ['front-20260131-142501.mp4'],
    }),
  ),
  path: Type.Optional({ ...FilePath, description: 'A video file; absolute, and inside a media root.' }),
  pace: withDefault(
    Type.Union([Type.Literal('native'), Type.Literal('fast')], {
      description:
        'native: as a camera, at the pace at which it was taken, so a slow pipeline skips pictures. fast: every picture once and in order, as fast as the pipeline takes them.',
    }),
    'native',
  ),
  loop: withDefault(Type.Boolean({ description: 'Whether it begins anew after the last picture.' }), false),
}

const aboutFile =
  'A recording or another video (H.264, H.265 or MJPEG in MP4, QuickTime, Matroska, AVI or MPEG-TS). JPEGs ' +
  'are read as they were recorded, so that the results are those of then. ' +
  'What says in its container how it is to be turned, as videos of phones do, is turned.'

/** A video, played. */
export const FileSource = inputOf(fileFields, { ...strict, title: 'FileSource', description: aboutFile })
export type FileSource = Static<typeof FileSource>

/** The same, whole. */
export const CanonicalFileSource = Type.Object(fileFields, {
  ...strict,
  title: 'CanonicalFileSource',
  description: aboutFile,
})
export type CanonicalFileSource = Static<typeof CanonicalFileSource>
