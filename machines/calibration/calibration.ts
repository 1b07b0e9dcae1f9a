// A calibration on the wire: what was found out of a lens, of which pictures, and how far it is to be trusted.
import type { Static, TSchema } from 'typebox'
import { CameraUid } from '../cameras/mode.ts'
import { about } from '../schema/about.ts'
import { inputOf, withDefault } from '../schema/defaults.ts'
import { enumOf } from '../schema/enum-of.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { Intrinsics } from '../stream/manifest.ts'
import { MAX_CALIBRATION_PICTURES } from './task.ts'
import { VERDICTS } from './verdict.ts'

const strict = { additionalProperties: false } as const

/** `cal-` and 8 letters, as cameras have them. */
export const CalibrationId = Type.String({
  pattern: '^cal-[a-z2-7]{8}$',
  description: '12 characters: cal- and 8 of a to z and 2 to 7. Of the calibration.',
  examples: ['cal-m4q2ptza'],
})

/** Of what people call a calibration. */
export const MAX_CALIBRATION_NAME_LENGTH = 80

/** What people call a calibration. */
export const CalibrationName = Name(MAX_CALIBRATION_NAME_LENGTH, 'Of the calibration, for people.')

/** How much a calibration is to be trusted, the unjudged ones included. */
export const CalibrationVerdict = enumOf(
  {
    good: 'as good as it gets by pictures',
    usable: 'good enough to drive by',
    poor: 'poses will be off; it is put in force by `force` alone',
    refused: 'it says nothing about the lens; it is neither kept nor put in force',
    unknown: 'it was brought from elsewhere, and its pictures were not',
  },
  'CalibrationVerdict',
)
export type CalibrationVerdict = Static<typeof CalibrationVerdict>

/** Something to know of a calibration. */
export const CalibrationReason = Type.Object(
  {
    code: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      description: oneLine`
        1 to 40 lower-case letters, digits and _. For programs: \`frontal\`, \`same_view\`, \`one_axis\`, \`small\`,
        \`not_square\`, \`bent\` and so on.
      `,
    }),
    allows: Type.Enum([...VERDICTS], {
      description: oneLine`
        What is left of the verdict because of it. good: all of it, it is only told. usable, poor: that at best.
        refused: nothing.
      `,
    }),
    values: Type.Record(Type.String(), Type.Number(), { description: 'What was found, with the unit in each name.' }),
    detail: Type.String({ maxLength: 1000, description: 'In words, with what to do.' }),
  },
  { ...strict, title: 'CalibrationReason', description: 'Something to know of a calibration.' },
)
export type CalibrationReason = Static<typeof CalibrationReason>

const Squares = (description: string) => Type.Integer({ minimum: 2, maximum: 1000, description })
const SquareMm = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: `${description}, millimetres, as it was measured.` })

/** What is printed on a board. */
export const ABOUT_BOARD_KIND = oneLine`
  charuco: squares with a marker in each white one. chessboard: squares alone. tag_grid: tags in rows.
`

/** The board that was held in front of a camera. */
export const CalibrationBoard = Type.Object(
  {
    kind: Type.Enum(['charuco', 'chessboard', 'tag_grid'], { description: ABOUT_BOARD_KIND }),
    family: orNull(Type.String({ maxLength: 60 }), 'Of its markers; null: it has none.'),
    columns: Squares('Squares from left to right.'),
    rows: Squares('Squares from top to bottom, as far as they were seen.'),
    square_width_mm: SquareMm('Width of a square'),
    square_height_mm: SquareMm('Height of a square'),
    layout: orNull(
      Type.Enum(['new', 'old'], {
        description: 'new: the upper left square is black. old: it is white, of an even number of rows.',
      }),
      'null: there is but one.',
    ),
  },
  { ...strict, title: 'CalibrationBoard', description: 'The board that was held in front of a camera.' },
)
export type CalibrationBoard = Static<typeof CalibrationBoard>

/** What one picture has to do with a calibration. */
export const CalibrationPicture = Type.Object(
  {
    media_id: orNull(Type.String({ maxLength: 200 }), 'The media item that it is; null: it is none.'),
    name: Type.String({ maxLength: 200, description: 'For people.' }),
    is_used: Type.Boolean({ description: 'Whether it counts.' }),
    rms_px: orNull(Type.Number(), 'By how much its corners are off; null: it was not looked at.'),
    worst_px: orNull(Type.Number(), 'By how much its worst corner is off.'),
    adds: orNull(Type.Number(), 'By which share the mean predicted error would be larger without it.'),
    tilt_x_deg: orNull(Type.Number(), 'Of the board, about the upright axis.'),
    tilt_y_deg: orNull(Type.Number(), 'Of the board, about the level axis.'),
    width_share: orNull(Type.Number(), "Of the picture's width, that its corners span."),
    height_share: orNull(Type.Number(), "Of the picture's height, that its corners span."),
    detail: orNull(Type.String({ maxLength: 500 }), 'Why it does not count, or should not; null: it is fine.'),
  },
  { ...strict, title: 'CalibrationPicture', description: 'What one picture has to do with a calibration.' },
)
export type CalibrationPicture = Static<typeof CalibrationPicture>

/** Where points may be seen, over the picture. */
export const CalibrationMap = Type.Object(
  {
    columns: Type.Integer({ minimum: 1, maximum: 100, description: 'Places from the left edge to the right one.' }),
    rows: Type.Integer({ minimum: 1, maximum: 100, description: 'Places from the upper edge to the lower one.' }),
    error_px: Type.Array(Type.Union([Type.Number(), Type.Null()]), {
      maxItems: 10_000,
      description: 'By how much points may be off, row by row; null: nobody can tell.',
    }),
    mean_px: orNull(Type.Number(), 'The mean.'),
    max_px: orNull(Type.Number(), 'The largest.'),
  },
  { ...strict, title: 'CalibrationMap', description: 'By how much points may be seen off, over the picture.' },
)
export type CalibrationMap = Static<typeof CalibrationMap>

const Share = Type.Object(
  {
    share: Type.Number({ description: 'fx / fy - 1.' }),
    deviation: Type.Number({ minimum: 0, description: 'Standard deviation of it.' }),
  },
  { ...strict, title: 'CalibrationStretch', description: 'By which the camera would see widths too large.' },
)

/** Where a calibration came from that was not made here of pictures. */
export const CalibrationSource = Type.Object(
  {
    calibration_id: Type.Optional(about(CalibrationId, 'Of a derived one: that of another mode.')),
    format: Type.Optional(Type.String({ maxLength: 60, description: 'Of an imported one: the format of its file.' })),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'Of an imported one: the name of its file.' })),
  },
  { ...strict, title: 'CalibrationSource', description: 'Where a calibration came from.' },
)

/** A control of the lens, as it was. */
export const LensControl = Type.Object(
  {
    control_id: Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'Of the driver.' }),
    name: Type.String({ maxLength: 100, description: 'As the driver has it.' }),
    value: Type.Integer({ description: 'As it was.' }),
  },
  { ...strict, title: 'LensControl', description: 'A control of the lens, such as its focus, as it was.' },
)
export type LensControl = Static<typeof LensControl>

const Numbers = (maxItems: number) => Type.Array(Type.Union([Type.Number(), Type.Null()]), { maxItems })

const fieldsWith = <Found extends TSchema>(intrinsics: Found) => ({
  name: CalibrationName,
  origin: enumOf(
    {
      solved: 'it was solved here, of pictures',
      imported: 'it came as a file',
      derived: 'it was computed of one of another mode, and checked by pictures',
    },
    'CalibrationOrigin',
  ),
  made_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
  stream_id: orNull(StreamId, 'The stream that it was made for; null: none was named.'),
  camera_uid: orNull(CameraUid, 'The unit whose lens it is; null: it is none of this device.'),
  camera_name: orNull(Type.String({ maxLength: 200 }), 'What the unit was called.'),
  width_px: Intrinsics.properties.width_px,
  height_px: Intrinsics.properties.height_px,
  pixel_format: orNull(Type.String({ maxLength: 40 }), 'Of the mode; null: nobody knows.'),
  lens_controls: withDefault(
    Type.Array(LensControl, { maxItems: 16, description: 'Focus and zoom, where the camera has them.' }),
    [],
  ),
  intrinsics,
  deviations: orNull(Numbers(12), 'Standard deviations of fx, fy, cx, cy and the distortion; null: not known.'),
  covariance: orNull(Numbers(144), 'Of the same, row by row; null: not known.'),
  rms_px: orNull(Type.Number(), 'By how much corners are off, in the mean. It does not say how good it is.'),
  board: orNull(CalibrationBoard, 'null: not known.'),
  bend_mm: orNull(
    Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
    'By which the middle of the board stands out: along its width, along its height. null: it was taken for flat.',
  ),
  stretch: orNull(Share, 'null: not known.'),
  map: orNull(CalibrationMap, 'null: not known.'),
  verdict: CalibrationVerdict,
  reasons: Type.Array(CalibrationReason, { maxItems: 40, description: 'The gravest first.' }),
  pictures: Type.Array(CalibrationPicture, {
    maxItems: MAX_CALIBRATION_PICTURES,
    description: 'In the order in which they were named.',
  }),
  leave_out: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_CALIBRATION_PICTURES }), {
    maxItems: MAX_CALIBRATION_PICTURES,
    description: 'Pictures, by their places from 0 on, without which it would be better.',
  }),
  source: orNull(CalibrationSource, 'null: it was made here, of pictures.'),
})

const ABOUT = 'What was found out of a lens, of which pictures, and how far it is to be trusted.'

/** A calibration as it is kept. */
export const Calibration = Type.Object(fieldsWith(Intrinsics), {
  ...strict,
  title: 'Calibration',
  description: ABOUT,
})
export type Calibration = Static<typeof Calibration>

/** A calibration as a client brings one. */
export const GivenCalibration = inputOf(fieldsWith(Intrinsics), {
  ...strict,
  title: 'GivenCalibration',
  description: 'A calibration that was made elsewhere, or was read here before.',
})

/** A calibration that was just solved: where no lens has these numbers, they are not shown. */
export const SolvedCalibration = Type.Object(
  fieldsWith(
    Type.Union([Intrinsics, Type.Null()], { description: 'null: what came out is no lens; the reasons say why.' }),
  ),
  { ...strict, title: 'SolvedCalibration', description: `${ABOUT} It is not kept until it is saved.` },
)
export type SolvedCalibration = Static<typeof SolvedCalibration>

/** What comes of a job that solves. */
export interface SolveResult {
  readonly calibration: SolvedCalibration
}

/** What follows from the rest of the device. */
export const CalibrationStatus = Type.Object(
  {
    in_force_on: Type.Array(StreamId, { description: 'The streams that have exactly these intrinsics.' }),
    reasons: Type.Array(CalibrationReason, {
      description: oneLine`
        What speaks against it by now: the focus or the mode of the camera is another one than when it was made.
      `,
    }),
  },
  { ...strict, title: 'CalibrationStatus', description: 'What has become of a calibration.' },
)
export type CalibrationStatus = Static<typeof CalibrationStatus>

/** As the references show one. */
export const calibrationExample: Calibration = {
  name: 'HD Cam, 1 January 2026',
  origin: 'solved',
  made_at_ms: 1_767_225_600_000,
  stream_id: 'front',
  camera_uid: 'cam-k3f7q2ma',
  camera_name: 'HD Cam',
  width_px: 1280,
  height_px: 800,
  pixel_format: 'mjpeg',
  lens_controls: [],
  intrinsics: {
    width_px: 1280,
    height_px: 800,
    fx_px: 905.2,
    fy_px: 904.7,
    cx_px: 641.5,
    cy_px: 398.2,
    distortion: [0.08, -0.12, 0.001, -0.0005, 0.03],
  },
  deviations: [0.7, 0.7, 0.6, 0.5, 0.002, 0.01, 0.0001, 0.0001, 0.02],
  covariance: null,
  rms_px: 0.23,
  board: {
    kind: 'charuco',
    family: 'aruco_4x4',
    columns: 11,
    rows: 7,
    square_width_mm: 24,
    square_height_mm: 24,
    layout: 'new',
  },
  bend_mm: [0.04, -0.02],
  stretch: { share: 0.0006, deviation: 0.0011 },
  map: { columns: 2, rows: 2, error_px: [0.6, 0.6, 0.7, 0.6], mean_px: 0.38, max_px: 0.7 },
  verdict: 'good',
  reasons: [],
  pictures: [
    {
      media_id: 'board-01.jpg',
      name: 'board-01.jpg',
      is_used: true,
      rms_px: 0.21,
      worst_px: 0.64,
      adds: 0.05,
      tilt_x_deg: 31,
      tilt_y_deg: -4,
      width_share: 0.62,
      height_share: 0.71,
      detail: null,
    },
  ],
  leave_out: [],
  source: null,
}

/** Of one that is in force. */
export const calibrationStatusExample: CalibrationStatus = { in_force_on: ['front'], reasons: [] }
