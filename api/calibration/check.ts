// The row that says whether the lens of a stream is as it was calibrated.
import type { Static } from 'typebox'
import { LENS_CHECKS } from '../../actors/localization/tokens.ts'
import type { LensDeviation } from '../../machines/localization/lens-check.ts'
import { lensVerdict } from '../../machines/localization/lens-verdict.ts'
import { enumOf } from '../../machines/schema/enum-of.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { lensKeyOf } from '../../machines/stream/lens-key.ts'
import type { Given } from '../../machines/token.ts'
import { read } from '../endpoints/read.ts'
import { ofStream, ofStreamNeeds } from '../stream/of-stream.ts'
import { streamParams } from '../stream/wire.ts'

/** The needs of the row. */
export const checkNeeds = { ...ofStreamNeeds, checks: LENS_CHECKS }

const strict = { additionalProperties: false } as const

const LensShare = Type.Object(
  {
    share: Type.Number({ description: 'By how much: 0.01 is one per cent.' }),
    deviation: Type.Number({ minimum: 0, description: 'Standard deviation of it.' }),
  },
  { ...strict, title: 'LensShare', description: 'By how much a lens is another one than its calibration says.' },
)

const shareOf = (description: string) => Type.Union([LensShare, Type.Null()], { description })

const Pixels = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const LensCheck = Type.Object(
  {
    state: enumOf(
      {
        gathering: 'not enough was seen',
        fits: 'the lens is as it was calibrated',
        off: 'it is not',
      },
      'LensCheckState',
    ),
    detail: Type.String({ description: 'In words, with what to do.' }),
    places: Type.Integer({ minimum: 0, description: 'Frames that count, each from another place.' }),
    tags: Type.Integer({ minimum: 0, description: 'Different tags in them.' }),
    residual_px: Pixels('What the tags are off by the calibration, in the mean; most of it is the map. null: nothing.'),
    corrected_px: Pixels('The same by the lens as it was found, and with tags where they seem to hang. null: nothing.'),
    focal: shareOf('By which the focal length is larger. null: nothing is known.'),
    distortion: shareOf('By which places 27 degrees from the axis lie further out. null: nothing is known.'),
    stretch: shareOf('By which fx is larger against fy. null: nothing is known.'),
    board: Type.String({ description: 'Where a calibration begins: the board to print.' }),
  },
  { ...strict, title: 'LensCheck', description: 'Whether the lens of a stream is as it was calibrated.' },
)

/** The row. */
export const checkRow = (parts: Given<typeof checkNeeds>) =>
  read('GET', '/v1/streams/:id/calibration/check', {
    summary: 'Whether the lens is as it was calibrated',
    about: oneLine`
      Told from the tags of the field while the robot drives about, without a board: it takes about a minute with two
      tags or more in view, from many places. It rests on \`errors.map_m\` and \`errors.map_deg\` of the localization:
      a map that is worse than they say can make a lens look wrong. It begins again when the intrinsics, the map or the
      config of the localization change. Nothing is changed by it.
    `,
    params: streamParams,
    answer: LensCheck,
    example: {
      state: 'off',
      detail: oneLine`
        the focal length is 1.1 % larger than the calibration says (deviation 0.2 %): distances come out too short by as
        much. Calibrate this camera again, at its mode and focus
      `,
      places: 94,
      tags: 26,
      residual_px: 1.1,
      corrected_px: 0.28,
      focal: { share: 0.0114, deviation: 0.0018 },
      distortion: { share: 0.0004, deviation: 0.0005 },
      stretch: { share: -0.0006, deviation: 0.0009 },
      board: '/v1/streams/front/calibration/board.pdf',
    },
    get: ({ params: { id } }) =>
      ofStream(parts, id, ({ manifest }) => {
        const lens = lensKeyOf(manifest)
        return lens === undefined ? uncalibrated(id) : checkOf(id, lens, parts)
      }),
    faults: ['stream.not_found'],
  })

type Check = Static<typeof LensCheck>

const NOTHING = {
  places: 0,
  tags: 0,
  residual_px: null,
  corrected_px: null,
  focal: null,
  distortion: null,
  stretch: null,
} as const

const uncalibrated = (id: string): Check => ({
  state: 'gathering',
  detail: 'nobody has calibrated the lens of this stream; print the board, and calibrate it',
  ...NOTHING,
  board: boardOf(id),
})

const checkOf = (id: string, lens: string, { checks }: Given<typeof checkNeeds>): Check => {
  const checked = checks.of(id, lens)
  const { evidence, deviation } = checked ?? {}
  const known = evidence && evidence.frames > 0 ? evidence : undefined
  return {
    ...lensVerdict(checked),
    ...NOTHING,
    ...(known && {
      places: known.frames,
      tags: known.tags,
      residual_px: rounded(known.residualPx),
      corrected_px: rounded(known.correctedPx),
    }),
    ...(deviation && sharesOf(deviation)),
    board: boardOf(id),
  }
}

const sharesOf = (found: LensDeviation) => ({
  focal: { share: rounded(found.focal), deviation: rounded(found.focalStd) },
  distortion: { share: rounded(found.radial), deviation: rounded(found.radialStd) },
  stretch: { share: rounded(found.aspect), deviation: rounded(found.aspectStd) },
})

const rounded = (value: number): number => Number(value.toPrecision(3))

const boardOf = (id: string): string => `/v1/streams/${id}/calibration/board.pdf`
