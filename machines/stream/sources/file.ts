// A video as a source: a recording of this device, or a file.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { FilePath } from './file-path.ts'
import { sourceKind } from './source-kind.ts'

const strict = { additionalProperties: false } as const

const MAX_MEDIA_NAME_LENGTH = 84

const fields = {
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
      description: oneLine`
        native: as a camera, at the pace at which it was taken, so a slow pipeline skips pictures. fast: every picture
        once and in order, as fast as the pipeline takes them.`,
    }),
    'native',
  ),
  loop: withDefault(Type.Boolean({ description: 'Whether it begins anew after the last picture.' }), false),
}

const about = oneLine`
  A recording or another video (H.264, H.265 or MJPEG in MP4, QuickTime, Matroska, AVI or MPEG-TS). JPEGs are read as
  they were recorded, so that the results are those of then. What says in its container how it is to be turned, as
  videos of phones do, is turned.`

/** A video, played. */
export const FileSource = inputOf(fields, { ...strict, title: 'FileSource', description: about })
export type FileSource = Static<typeof FileSource>

const CanonicalFileSource = Type.Object(fields, { ...strict, title: 'CanonicalFileSource', description: about })

/** The same, whole. */
export type CanonicalFileSource = Static<typeof CanonicalFileSource>

/** A video. */
export const fileKind = sourceKind({
  backend: 'file',
  sent: FileSource,
  whole: CanonicalFileSource,
  traits: {
    paths: ({ path }) => (path === undefined ? [] : [{ pointer: '/source/path', path }]),
    recording: ({ media }) => media,
    errors: ({ media, path }) => {
      if (media !== undefined && path !== undefined)
        return [{ pointer: '/source/path', message: 'stands beside `media`; say one of them' }]
      if (media !== undefined || path !== undefined) return []
      const message = 'is missing; name a recording (`media`), or a video file of the device (`path`)'
      return [{ pointer: '/source/media', message }]
    },
  },
})
