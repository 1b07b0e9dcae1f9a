// Pictures from files as a source.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { FilePath } from './file-path.ts'
import { Fps } from './fps.ts'
import { sourceKind } from './source-kind.ts'

const strict = { additionalProperties: false } as const

const fields = {
  backend: Type.Literal('images'),
  path: Type.Union([FilePath, Type.Array(FilePath, { minItems: 1, maxItems: 10_000 })], {
    description: oneLine`
      A folder (its .jpg, .jpeg and .png files by name), a file, or a list of files; absolute, and inside a media
      root.`,
  }),
  fps: Fps,
  loop: withDefault(Type.Boolean({ description: 'Whether it begins anew after the last picture.' }), true),
  pace: withDefault(
    Type.Union([Type.Literal('realtime'), Type.Literal('lossless')], {
      description: oneLine`
        realtime: as a camera, so a pipeline that is slower than fps skips pictures. lossless: every picture once, in
        order; fps is then the most that come in a second, and a slow pipeline is waited for.`,
    }),
    'realtime',
  ),
}

const about = oneLine`
  JPEG and PNG files, played at a rate; each is set upright first, where it has a note (EXIF) of which side is up.`

/** Pictures from files, played at a rate. */
export const ImagesSource = inputOf(fields, { ...strict, title: 'ImagesSource', description: about })
export type ImagesSource = Static<typeof ImagesSource>

/** Pictures from files. */
export const imagesKind = sourceKind({
  backend: 'images',
  sent: ImagesSource,
  whole: Type.Object(fields, { ...strict, title: 'CanonicalImagesSource', description: about }),
  traits: {
    fps: ({ fps }) => fps,
    paths: ({ path }) =>
      typeof path === 'string'
        ? [{ pointer: '/source/path', path }]
        : path.map((each, index) => ({ pointer: `/source/path/${index}`, path: each })),
    waitsForPipeline: ({ pace }) => pace === 'lossless',
  },
})
