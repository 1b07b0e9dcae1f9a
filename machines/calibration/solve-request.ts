// What is to be solved, as a client says it: a capture, pictures among the media, or corners that were found elsewhere.
import type { Static } from 'typebox'
import { MediaName } from '../media/name.ts'
import { about } from '../schema/about.ts'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { Intrinsics } from '../stream/manifest.ts'
import { ABOUT_BOARD_KIND, CalibrationBoard, CalibrationId } from './calibration.ts'
import { type FoundBoard, type FoundPicture, MAX_CALIBRATION_PICTURES, type SquareSize } from './task.ts'

/** The kind of the jobs that solve. */
export const SOLVE_KIND = 'calibration_solve'

const strict = { additionalProperties: false } as const

const MAX_SQUARES = 100
const MAX_PICTURE_CORNERS = 10_000

const GivenBoard = Type.Object(
  {
    kind: Type.Optional({
      ...CalibrationBoard.properties.kind,
      description: `${ABOUT_BOARD_KIND} Default: charuco.`,
    }),
    family: Type.Optional(Type.String({ maxLength: 60, description: 'Of its markers, to be noted.' })),
    columns: Type.Integer({ minimum: 3, maximum: MAX_SQUARES, description: 'Squares from left to right.' }),
    rows: Type.Integer({ minimum: 3, maximum: MAX_SQUARES, description: 'Squares from top to bottom.' }),
  },
  { ...strict, title: 'GivenBoard', description: 'The board whose corners were found elsewhere.' },
)

const GivenPicture = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'For people.' }),
    width_px: Intrinsics.properties.width_px,
    height_px: Intrinsics.properties.height_px,
    corners: Type.Array(
      Type.Array(Type.Number({ minimum: -100_000, maximum: 100_000 }), {
        minItems: 4,
        maxItems: 4,
        description: oneLine`
          How many squares are to the left of the corner and above it, and where it is seen: u and v, in pixels from the
          centre of the first one.
        `,
      }),
      { maxItems: MAX_PICTURE_CORNERS, description: 'The inner corners of the board that are seen.' },
    ),
  },
  { ...strict, title: 'GivenPicture', description: 'A picture whose corners were found elsewhere.' },
)

const SquareMm = (description: string) => Type.Number({ minimum: 0.1, maximum: 1000, description })

/** What is to be solved. */
export const CalibrationSolveRequest = Type.Object(
  {
    capture_id: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'Pictures of a capture.' })),
    media_ids: Type.Optional(
      Type.Array(MediaName, {
        minItems: 1,
        maxItems: MAX_CALIBRATION_PICTURES,
        description: 'Pictures among the media, of one camera in one mode.',
      }),
    ),
    pictures: Type.Optional(
      Type.Array(GivenPicture, {
        minItems: 1,
        maxItems: MAX_CALIBRATION_PICTURES,
        description: 'Corners that were found elsewhere; then `board` says of which board.',
      }),
    ),
    board: Type.Optional(GivenBoard),
    square_width_mm: SquareMm('How wide a square is, measured over ten of them, millimetres.'),
    square_height_mm: Type.Optional(SquareMm('How high a square is. Default: as wide.')),
    coefficients: Type.Optional(
      Type.Enum([0, 4, 5, 8], {
        description: oneLine`
          Of the distortion. 0: as many as the pictures are good for. 4: below ten pictures. 5: usual. 8: wide lenses.
          Default: 0.
        `,
      }),
    ),
    stream_id: Type.Optional(about(StreamId, 'Whose camera it is. Default: the stream that the pictures are of.')),
    leave_out: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: MAX_CALIBRATION_PICTURES - 1 }), {
        maxItems: MAX_CALIBRATION_PICTURES,
        description: 'Pictures that shall not count, by their places from 0 on.',
      }),
    ),
    derive_from: Type.Optional(
      about(
        CalibrationId,
        oneLine`
          A calibration of another mode of the same camera: its lens is computed for this mode, and is right where three
          pictures say so. Nothing is solved then.
        `,
      ),
    ),
    wait: Type.Optional(Type.Boolean({ description: 'Whether the answer comes when it has ended. Default: true.' })),
  },
  {
    ...strict,
    title: 'CalibrationSolveRequest',
    description: 'What is to be solved: one of `capture_id`, `media_ids` and `pictures` with their `board`.',
  },
)
export type CalibrationSolveRequest = Static<typeof CalibrationSolveRequest>

/** How large a square is. */
export const squareOf = ({
  square_width_mm,
  square_height_mm = square_width_mm,
}: Pick<CalibrationSolveRequest, 'square_width_mm' | 'square_height_mm'>): SquareSize => ({
  width_mm: square_width_mm,
  height_mm: square_height_mm,
})

/** What a schema cannot say of such a request; empty: it is fine. */
export const flawsOfRequest = (request: CalibrationSolveRequest): readonly SchemaError[] => {
  const { capture_id, media_ids, pictures, board } = request
  const named = [capture_id, media_ids, pictures].filter((each) => each !== undefined).length
  if (named !== 1)
    return [{ pointer: '', message: 'has to name what is solved by one of capture_id, media_ids and pictures' }]
  if ((pictures === undefined) !== (board === undefined))
    return [
      {
        pointer: '/board',
        message: pictures ? 'is missing: say how many columns and rows it has' : 'is found by itself; leave it out',
      },
    ]
  const twice = media_ids?.findIndex((name, at) => media_ids.indexOf(name) < at) ?? -1
  if (twice >= 0) return [{ pointer: `/media_ids/${twice}`, message: 'is named twice' }]
  return board && pictures ? flawsOfCorners(board, pictures) : []
}

const MAX_FLAWS = 16

const flawsOfCorners = (
  { columns, rows }: Static<typeof GivenBoard>,
  pictures: readonly Static<typeof GivenPicture>[],
): readonly SchemaError[] => {
  const flaws: SchemaError[] = []
  for (const [at, { corners }] of pictures.entries()) {
    const seen = new Set<number>()
    for (const [n, [column = 0, row = 0]] of corners.entries()) {
      if (flaws.length >= MAX_FLAWS) return flaws
      const pointer = `/pictures/${at}/corners/${n}`
      const isInside = [column, row].every(Number.isInteger) && column > 0 && column < columns && row > 0 && row < rows
      if (!isInside)
        flaws.push({
          pointer,
          message: oneLine`
            is no inner corner of a board of ${columns}x${rows} squares: those have 1 to ${columns - 1} squares to the
            left and 1 to ${rows - 1} above
          `,
        })
      else if (seen.has(row * columns + column)) flaws.push({ pointer, message: 'is there twice in this picture' })
      seen.add(row * columns + column)
    }
  }
  return flaws
}

/** The board of corners that were found elsewhere. */
export const givenBoard = (
  { kind = 'charuco', columns, rows, family = '' }: Static<typeof GivenBoard>,
  pictures: readonly Static<typeof GivenPicture>[],
): FoundBoard => ({
  kind,
  family,
  columns,
  rows,
  starts_white: false,
  marker_share: 0,
  fitting_share: 1,
  pictures: pictures.map(
    ({ width_px, height_px, corners }): FoundPicture => ({
      width_px,
      height_px,
      markers: 0,
      corners: corners.map(([column = 0, row = 0, u = 0, v = 0]) => [column, row, u, v]),
    }),
  ),
})

/** The same board, with pictures that shall not count. */
export const withoutPictures = (board: FoundBoard, leftOut: readonly number[]): FoundBoard =>
  leftOut.length === 0
    ? board
    : {
        ...board,
        pictures: board.pictures.map((picture, at) =>
          leftOut.includes(at) ? { detail: 'it was to be left out' } : picture,
        ),
      }
