// A calibration board that somebody holds in front of the synthetic camera.
import type { Static } from 'typebox'
import { PoseDocument } from '../../localization/pose.ts'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'

const strict = { additionalProperties: false } as const

const Squares = (description: string) => Type.Integer({ minimum: 2, maximum: 30, description })
const Size = (description: string) => Type.Number({ minimum: 1, maximum: 1000, description })
const Bend = (along: string) =>
  Type.Number({
    minimum: -50,
    maximum: 50,
    description: `By how much the middle lies behind the sides, along the ${along}; 0: flat.`,
  })

const fields = {
  kind: withDefault(
    Type.Enum(['charuco', 'chessboard', 'tag_grid'], {
      description: oneLine`
        As the boards that this device draws. charuco: squares with a marker in each white one. chessboard: squares
        alone. tag_grid: tags in rows, numbered from the lower left.
      `,
    }),
    'charuco',
  ),
  family: withDefault(
    Type.Enum(['aruco_4x4', 'aruco_5x5', 'aruco_6x6', 'aruco_7x7', 'tag36h11'], {
      description: oneLine`
        Of its markers: aruco_4x4, aruco_5x5, aruco_6x6 or aruco_7x7 on a charuco board, tag36h11 on a tag_grid. A
        chessboard has none.
      `,
    }),
    'aruco_4x4',
  ),
  columns: withDefault(Squares('Of squares, or of tags.'), 11),
  rows: withDefault(Squares('Of squares, or of tags.'), 7),
  layout: withDefault(
    Type.Enum(['new', 'old'], {
      description: oneLine`
        Of a charuco board with an even number of rows. new: a black square at the upper left. old: a marker.
      `,
    }),
    'new',
  ),
  square_width_mm: withDefault(Size('Of a square as it is printed; of a grid, from tag to tag.'), 24),
  square_height_mm: withDefault(Size('A printer that stretches gives another one than the width.'), 24),
  bend_width_mm: withDefault(Bend('width'), 0),
  bend_height_mm: withDefault(Bend('height'), 0),
  views: withDefault(
    Type.Enum(['good', 'frontal', 'small'], {
      description: oneLine`
        How it is held. good: tilted each time to another side, in all parts of the picture. frontal: not tilted. small:
        tilted, far away. Which views these are follows from the seed of the source.
      `,
    }),
    'good',
  ),
  hold_ms: withDefault(
    Type.Integer({ minimum: 0, maximum: 600_000, description: 'How long it is held still in each view.' }),
    1000,
  ),
  move_ms: withDefault(
    Type.Integer({ minimum: 0, maximum: 600_000, description: 'How long it takes from one view to the next.' }),
    400,
  ),
  pose: Type.Optional(PoseDocument),
}

const about = oneLine`
  A board that is held in front of the camera, over all else. pose: where its middle is held still, seen from the camera
  body (x forward, y left, z up), without turns where it is held squarely; default: it goes from view to view.`

/** The board, as it may be sent. */
export const HeldBoard = inputOf(fields, { ...strict, title: 'SyntheticBoard', description: about })
export type HeldBoard = Static<typeof HeldBoard>

/** The same, whole. */
export const WholeHeldBoard = Type.Object(fields, {
  ...strict,
  title: 'CanonicalSyntheticBoard',
  description: about,
})

/** What is wrong with a board in a source that a schema cannot say. */
export const boardErrors = (board: HeldBoard | undefined): readonly SchemaError[] => {
  if (!board) return []
  const { hold_ms, move_ms, kind, family } = board
  return [
    ...(hold_ms === 0 && move_ms === 0
      ? [{ pointer: '/source/board/hold_ms', message: 'cannot be 0 where move_ms is 0 too' }]
      : []),
    ...(kind === 'tag_grid' && family !== 'tag36h11'
      ? [{ pointer: '/source/board/family', message: 'has to be tag36h11 of a tag_grid' }]
      : []),
  ]
}
