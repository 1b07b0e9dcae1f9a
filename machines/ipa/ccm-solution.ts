// A matrix that was solved from a picture of a chart, as clients see it.
import type { Static } from 'typebox'
import { MediaName } from '../media/name.ts'
import { about } from '../schema/about.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { EDITIONS, type Edition, EditionQuery, PATCHES } from './chart.ts'
import { FOUND_BY } from './chart-look.ts'
import { CcmEntries, TuningPath } from './ipa.ts'
import { CCM_REASONS } from './judge-ccm.ts'

const strict = { additionalProperties: false } as const

const PLACE = '-?\\d{1,5}([.]\\d{1,3})?,-?\\d{1,5}([.]\\d{1,3})?'

/** What a picture is solved by, in a query. */
export const solveQuery = {
  media_name: Type.Optional(about(MediaName, 'A picture among the media, in place of a body.')),
  stream_id: Type.Optional(about(StreamId, 'The next picture of a stream, in place of a body.')),
  corners: Type.Optional(
    Type.String({
      pattern: `^${PLACE}(;${PLACE}){3}$`,
      description: oneLine`
        The digits of four places, x and y in pixels with a comma between, and a semicolon between places. The corners
        of the 24 patches, clockwise as they are seen. Default: the chart is looked for.
      `,
      examples: ['212,140;820,151;815,560;208,548'],
    }),
  ),
  edition: Type.Optional(EditionQuery),
  curve: Type.Optional(
    Type.Enum(['srgb', 'linear', 'tuning'], {
      default: 'srgb',
      description: oneLine`
        How the numbers of the picture follow from the light. srgb: as screens have it. linear: in proportion, as in a
        raw picture, which may be a PNG of 16 bits. tuning: as the tuning file has it (rpi.contrast), with the matrix of
        that file in it.
      `,
    }),
  ),
  black: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 0.5,
      default: 0,
      description: 'Of a linear picture: what is no light, as a share of the full scale.',
    }),
  ),
  ct: Type.Optional(
    Type.Number({
      minimum: 1000,
      maximum: 25_000,
      description: oneLine`
        Colour temperature of the light, kelvin. Default: of a linear picture as the tuning file tells it from the
        greys, else not known.
      `,
    }),
  ),
  file: Type.Optional(about(TuningPath, 'Where it would be written. Default: that of the one sensor that is there.')),
}

const Query = Type.Object(solveQuery)
/** What a picture is solved by. */
export type SolveQuery = Static<typeof Query>

const Colour = (description: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: 255, description: 'Red, green or blue, of sRGB.' }), {
    minItems: 3,
    maxItems: 3,
    description,
  })

const Difference = (description: string) =>
  Type.Number({ minimum: 0, description: `${description} CIEDE2000: 1 is what people just see.` })

const SolvedPatch = Type.Object(
  {
    name: Type.String({ description: 'What it is called.' }),
    wanted: Colour('As it should be.'),
    before: Colour('As it is, after a white balance and a brightness by the greys.'),
    after: Colour('As it is with the matrix.'),
    difference_before: Difference('How far that is off.'),
    difference_after: Difference('How far it is off with the matrix.'),
    is_clipped: Type.Boolean({
      description:
        'Whether the picture cannot hold its colour: too bright, or a channel at nothing; then it is left out.',
    }),
  },
  { ...strict, title: 'SolvedPatch', description: 'A patch of the chart.' },
)

const Place = Type.Object(
  {
    x: Type.Number({ description: 'Pixels from the left.' }),
    y: Type.Number({ description: 'Pixels from the top.' }),
  },
  { ...strict, title: 'PicturePlace', description: 'A place in a picture, as it is seen.' },
)

const Reason = Type.Object(
  { code: enumOf(CCM_REASONS, 'CcmReasonCode'), detail: Type.String({ description: 'In words, with the way out.' }) },
  { ...strict, title: 'CcmReason', description: 'What speaks against writing a matrix.' },
)

/** The document. */
export const CcmSolution = Type.Object(
  {
    ccm: about(
      CcmEntries,
      'What it comes to; with the matrix that was in the picture already, where its curve says so.',
    ),
    ct: orNull(
      Type.Number({ description: 'Kelvin.' }),
      'Colour temperature of the light, as it was said or told from the greys; null: not known.',
    ),
    file: orNull(TuningPath, 'Where it would be written; null: nowhere.'),
    can_be_written: Type.Boolean({ description: 'Whether nothing speaks against it.' }),
    reasons: Type.Array(Reason, { description: 'What speaks against writing it, the weightiest first.' }),
    mean_before: Difference('Mean over the patches without it.'),
    mean_after: Difference('Mean over the patches with it.'),
    max_before: Difference('The worst patch without it.'),
    max_after: Difference('The worst patch with it.'),
    found_by: enumOf(FOUND_BY, 'ChartFoundBy'),
    corners: Type.Array(Place, { description: 'Of the 24 patches, from that of dark skin on, clockwise.' }),
    width_px: Type.Integer({ minimum: 1, description: 'Of the picture.' }),
    height_px: Type.Integer({ minimum: 1, description: 'Of the picture.' }),
    edition: enumOf(EDITIONS, 'ChartEdition'),
    patches: Type.Array(SolvedPatch, { description: '24, row by row from dark skin.' }),
  },
  { ...strict, title: 'CcmSolution', description: 'A colour matrix, solved from a picture of a chart.' },
)
export type CcmSolution = Static<typeof CcmSolution>

const edition: Edition = 'after_2014'

/** As the references show it. */
export const ccmSolutionExample: CcmSolution = {
  ccm: [1.72, -0.51, -0.21, -0.33, 1.58, -0.25, -0.04, -0.73, 1.77],
  ct: 4100,
  file: '/usr/share/libcamera/ipa/rpi/vc4/imx219.json',
  can_be_written: true,
  reasons: [],
  mean_before: 7.3,
  mean_after: 0.5,
  max_before: 12.8,
  max_after: 3.3,
  found_by: 'search',
  corners: [
    { x: 212, y: 140 },
    { x: 820, y: 151 },
    { x: 815, y: 560 },
    { x: 208, y: 548 },
  ],
  width_px: 1280,
  height_px: 800,
  edition,
  patches: [
    {
      name: PATCHES[0]?.name ?? '',
      wanted: [116, 79, 65],
      before: [104, 82, 72],
      after: [116, 80, 65],
      difference_before: 6.1,
      difference_after: 0.4,
      is_clipped: false,
    },
  ],
}
