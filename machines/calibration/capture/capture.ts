// A guided capture as it is stored, and as the wire has it.
import type { Static } from 'typebox'
import { JobId } from '../../jobs/job.ts'
import { MediaName } from '../../media/name.ts'
import { about } from '../../schema/about.ts'
import { withDefault } from '../../schema/defaults.ts'
import { enumOf } from '../../schema/enum-of.ts'
import { oneLine } from '../../schema/one-line.ts'
import { orNull } from '../../schema/or-null.ts'
import { StreamId } from '../../schema/stream-id.ts'
import Type from '../../schema/type.ts'
import { CalibrationBoard } from '../calibration.ts'
import type { CaptureStateName } from '../capture-machine.ts'
import { MAX_CALIBRATION_PICTURES } from '../task.ts'
import { MAX_CAPTURE_PICTURES, REFUSALS } from './rules.ts'

const strict = { additionalProperties: false } as const

/** `cap-` and 8 letters. */
export const CaptureId = Type.String({
  pattern: '^cap-[a-z2-7]{8}$',
  description: '12 characters: cap- and 8 of a to z and 2 to 7. Of the capture; the same for a stream each time.',
  examples: ['cap-q3vbn7xd'],
})

const MAX_SIDE_PX = 16_384
const MAX_CORNERS = 4_000
const Side = Type.Integer({ minimum: 1, maximum: MAX_SIDE_PX })
const Pixel = Type.Number({ minimum: -MAX_SIDE_PX, maximum: 2 * MAX_SIDE_PX })
const Squares = Type.Integer({ minimum: 0, maximum: 1000 })
const Ms = (description: string) => Type.Integer({ minimum: 0, description })
const SquareMm = (side: string, more = '') =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 1000,
    description: `${side} of a square of the board, millimetres, measured over ten of them.${more}`,
    examples: [24],
  })

/** What is wanted of a capture. */
const fields = {
  stream_id: about(StreamId, 'The stream in front of whose camera the board is held.'),
  square_width_mm: SquareMm('Width'),
  square_height_mm: SquareMm('Height'),
  created_at_ms: Ms('When it was begun, Unix time.'),
}

const MediaIds = Type.Array(MediaName, {
  maxItems: MAX_CALIBRATION_PICTURES,
  description: oneLine`
    Pictures and recordings of that stream, which are looked at instead of its live pictures: of recordings five a
    second, as if they were live; of pictures each. None: the live pictures.
  `,
})

/** A picture that was taken, with what was found in it. */
const KeptPicture = Type.Object(
  {
    media_id: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    captured_at_ms: Ms('Unix time.'),
    edge_px: Type.Number({ minimum: 0, maximum: 1000 }),
    corners: Type.Array(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), { maxItems: MAX_CORNERS }),
  },
  strict,
)

/** The board, as the program that guides a capture has it. */
const KeptBoard = Type.Object(
  {
    family: Type.String({ maxLength: 60 }),
    columns: Squares,
    rows: Squares,
    starts_white: Type.Boolean(),
    marker_share: Type.Number({ minimum: 0, maximum: 1 }),
  },
  strict,
)

/** A capture as it is stored: it goes on after a restart. */
export const KeptCapture = Type.Object(
  {
    ...fields,
    media_ids: withDefault(MediaIds, []),
    board: withDefault(Type.Union([KeptBoard, Type.Null()]), null),
    width_px: withDefault(Type.Union([Side, Type.Null()]), null),
    height_px: withDefault(Type.Union([Side, Type.Null()]), null),
    pictures: withDefault(Type.Array(KeptPicture, { maxItems: MAX_CAPTURE_PICTURES }), []),
  },
  { ...strict, title: 'KeptCapture', description: 'A guided capture as it is stored.' },
)
export type KeptCapture = Static<typeof KeptCapture>
export type KeptPicture = KeptCapture['pictures'][number]

/** What begins a capture. */
export const CaptureRequest = Type.Object(
  {
    stream_id: fields.stream_id,
    square_width_mm: fields.square_width_mm,
    square_height_mm: Type.Optional(SquareMm('Height', ' Default: as its width.')),
    media_ids: Type.Optional(MediaIds),
  },
  { ...strict, title: 'CaptureRequest', description: 'What begins a guided capture.' },
)
export type CaptureRequest = Static<typeof CaptureRequest>

/** A capture as it was ordered. */
export const CaptureSpec = Type.Object(
  { ...fields, media_ids: MediaIds },
  { ...strict, title: 'CaptureSpec', description: 'A capture as it was ordered.' },
)
export type CaptureSpec = Static<typeof CaptureSpec>

/** What each state means. */
const STATES = {
  idle: 'no pictures come, or nobody was there for ten minutes; to ask for it makes it go on',
  looking: 'no board is to be seen',
  proposing: 'a board is to be seen, and is to be held elsewhere',
  accepted: 'a picture is being taken',
  refused: 'the board is where it is of use, and the picture is not',
  enough: 'the lens is known well enough, or more pictures would not help: it can be solved',
  solving: 'it is being solved',
  done: 'it is solved; the job has the result',
} as const satisfies Readonly<Record<CaptureStateName, string>>

const CaptureState = enumOf(STATES, 'CaptureState')

const Place = Type.Array(Pixel, {
  minItems: 2,
  maxItems: 2,
  description: 'To the right and down, pixels from the centre of the first one.',
})
const Outline = (description: string) => Type.Array(Place, { minItems: 4, maxItems: 4, description })

const CaptureRefusal = Type.Object(
  {
    code: enumOf(REFUSALS, 'CaptureRefusalCode'),
    detail: Type.String({ maxLength: 1000, description: 'In words, with what to do.' }),
  },
  { ...strict, title: 'CaptureRefusal', description: 'Why a picture is not taken.' },
)

const CaptureProposal = Type.Object(
  {
    outline: Outline('Where the corners of the board are to be seen, clockwise from its upper left.'),
    nearer: enumOf(
      {
        none: 'the board is to face the camera squarely',
        left: 'its left side is to be nearer to the camera than its right one',
        right: 'its right side is to be nearer',
        top: 'its upper side is to be nearer',
        bottom: 'its lower side is to be nearer',
      },
      'CaptureNearerSide',
    ),
    detail: Type.String({ maxLength: 300, description: 'The same in words.' }),
  },
  { ...strict, title: 'CaptureProposal', description: 'The view of the board that would say most next.' },
)

const news = {
  state: CaptureState,
  detail: Type.String({ maxLength: 1000, description: 'What to do now, for the person who holds the board.' }),
  refusal: orNull(CaptureRefusal, 'Why the newest picture was not taken; null: it was not refused.'),
  proposal: orNull(CaptureProposal, 'null: no board was seen yet, or no more pictures are needed.'),
  known_share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: oneLine`
      How well the lens is known: 0.1 % of the picture's width, which is as good as it gets, over the error that is
      predicted by now. 1: good.
    `,
  }),
  pictures_count: Type.Integer({ minimum: 0, maximum: MAX_CAPTURE_PICTURES, description: 'How many were taken.' }),
}

/** What is told of a capture while it goes on. */
export const CaptureNews = Type.Object(news, {
  ...strict,
  title: 'CaptureNews',
  description: 'How far a capture is, and what to do now.',
})
export type CaptureNews = Static<typeof CaptureNews>

const CapturePicture = Type.Object(
  {
    media_id: orNull(Type.String({ maxLength: 200 }), 'The media item that it is; null: it could not be stored.'),
    captured_at_ms: Ms('Unix time.'),
    corners_count: Type.Integer({ minimum: 0, description: 'Corners of squares that were found.' }),
    edge_px: Type.Number({ minimum: 0, description: 'How wide the edges of the squares are; 0: not known.' }),
    hull: Type.Array(Place, { maxItems: 200, description: 'What encloses its corners, around.' }),
  },
  { ...strict, title: 'CapturePicture', description: 'A picture that was taken.' },
)

const CaptureCoverage = Type.Object(
  {
    columns: Type.Integer({ minimum: 1, description: 'Places from the left edge to the right one.' }),
    rows: Type.Integer({ minimum: 1, description: 'Places from the upper edge to the lower one.' }),
    corners: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Corners that were seen there, row by row.' }),
  },
  { ...strict, title: 'CaptureCoverage', description: 'Where in the picture corners were seen.' },
)

/** How far a capture is. */
export const CaptureStatus = Type.Object(
  {
    ...news,
    predicted_px: orNull(
      Type.Number(),
      'By how much points would be seen off, the mean over the picture; null: not known yet.',
    ),
    job_id: orNull(JobId, 'The job that solves it, or has; null: none.'),
    width_px: orNull(Side, 'Of the pictures; null: none was seen yet.'),
    height_px: orNull(Side, 'Of the pictures; null: none was seen yet.'),
    board: orNull(CalibrationBoard, 'The board, as it was recognised; null: not yet.'),
    pictures: Type.Array(CapturePicture, {
      maxItems: MAX_CAPTURE_PICTURES,
      description: 'In the order of their taking.',
    }),
    coverage: CaptureCoverage,
  },
  { ...strict, title: 'CaptureStatus', description: 'How far a capture is, what was taken, and what to do now.' },
)
export type CaptureStatus = Static<typeof CaptureStatus>

/** As the references show it. */
export const captureNewsExample: CaptureNews = {
  state: 'refused',
  detail: 'the board moves: hold it still for a moment, or lean it against something',
  refusal: { code: 'moved', detail: 'the board moves: hold it still for a moment, or lean it against something' },
  proposal: {
    outline: [
      [40, 60],
      [640, 20],
      [640, 420],
      [40, 380],
    ],
    nearer: 'right',
    detail: 'hold the board in the upper left of the picture, near, tilted, with its right side nearer to the camera',
  },
  known_share: 0.42,
  pictures_count: 5,
}

/** A capture as the references show one. */
export const captureSpecExample: CaptureSpec = {
  stream_id: 'front',
  square_width_mm: 24,
  square_height_mm: 24,
  created_at_ms: 1_767_225_600_000,
  media_ids: [],
}

/** How far that is. */
export const captureStatusExample: CaptureStatus = {
  ...captureNewsExample,
  predicted_px: 3.05,
  job_id: null,
  width_px: 1280,
  height_px: 720,
  board: {
    kind: 'charuco',
    family: 'aruco_4x4',
    columns: 11,
    rows: 7,
    square_width_mm: 24,
    square_height_mm: 24,
    layout: null,
  },
  pictures: [
    {
      media_id: 'front-board-01.jpg',
      captured_at_ms: 1_767_225_612_000,
      corners_count: 4,
      edge_px: 2.1,
      hull: [
        [100, 80],
        [700, 80],
        [700, 500],
        [100, 500],
      ],
    },
  ],
  coverage: { columns: 2, rows: 1, corners: [2, 2] },
}
