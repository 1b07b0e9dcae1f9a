// Calibration boards: which ones this device draws, how large they are, and why one cannot be drawn.
import type { Static } from 'typebox'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { insideModules, type MarkerDictionary } from './marker-codes.ts'

/** Sheets, lying on their long side. */
export const PAPERS = {
  a4: { name: 'A4', width_mm: 297, height_mm: 210 },
  letter: { name: 'Letter', width_mm: 279.4, height_mm: 215.9 },
  a3: { name: 'A3', width_mm: 420, height_mm: 297 },
  tabloid: { name: 'Tabloid', width_mm: 431.8, height_mm: 279.4 },
} as const

/** A sheet, by its name in a query. */
export type Paper = keyof typeof PAPERS

/** By its name in a query: the family of the detector, and how many of its markers it has. */
const DICTIONARIES = {
  '4x4_50': { dictionary: 'aruco_4x4', markers: 50 },
  '4x4_100': { dictionary: 'aruco_4x4', markers: 100 },
  '5x5_50': { dictionary: 'aruco_5x5', markers: 50 },
  '5x5_100': { dictionary: 'aruco_5x5', markers: 100 },
} as const satisfies Readonly<Record<string, { dictionary: MarkerDictionary; markers: number }>>

type DictionaryName = keyof typeof DICTIONARIES

/** Of the sheet, beside and above the board and below it: for rulers, words, and what printers leave white. */
export const BESIDE_MM = { width: 24, height: 40 } as const

const MIN_SQUARE_MM = 5 // smaller ones are no larger than their errors of print deserve
const MAX_SQUARE_MM = 200
const MIN_SIDE = 2
const MIN_CORNERS = 12 // a picture with fewer of them is not used
const GRID_DICTIONARY = { name: 'tag36h11', dictionary: 'tag36h11', markers: 100 } as const

/** What a board is drawn by, in a query. */
export const boardQuery = {
  kind: Type.Optional(
    Type.Enum(['charuco', 'chessboard', 'aprilgrid'], {
      default: 'charuco',
      description: oneLine`
        charuco: a chessboard with a marker in each white square; may be cut off by the edge of the picture. chessboard:
        has to be in view as a whole. aprilgrid: AprilTags of 36h11 in rows, of a kind of our own: border of one module,
        no squares at the corners, a gap of a quarter of a tag, which is not what Kalibr prints. This device reads all
        of them; take charuco where you have the choice.
      `,
    }),
  ),
  paper: Type.Optional(
    Type.Enum(Object.keys(PAPERS) as Paper[], { default: 'a4', description: 'The sheet, on its long side.' }),
  ),
  squares: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]?x[1-9][0-9]?$',
      description: oneLine`
        Two numbers of 1 or 2 digits with x between them, columns and rows: of squares, or of tags on an aprilgrid.
        Default: 11x7 for charuco, 10x7 for a chessboard, 8x5 for an aprilgrid.
      `,
      examples: ['11x7'],
    }),
  ),
  square_mm: Type.Optional(
    Type.Number({
      minimum: MIN_SQUARE_MM,
      maximum: MAX_SQUARE_MM,
      description: oneLine`
        Side of a square; of an aprilgrid, from one tag to the next. Default: the most whole millimetres for which there
        is room on the sheet.
      `,
      examples: [24],
    }),
  ),
  dictionary: Type.Optional(
    Type.Enum(Object.keys(DICTIONARIES) as DictionaryName[], {
      default: '4x4_50',
      description: 'Of the markers of a charuco board.',
    }),
  ),
  layout: Type.Optional(
    Type.Enum(['new', 'old'], {
      default: 'new',
      description: oneLine`
        Of a charuco board with an even number of rows: new has a black square at the upper left, old a marker, as
        OpenCV had it before 4.6. With an odd number of rows both are the same.
      `,
    }),
  ),
}

const Query = Type.Object(boardQuery)
/** What a board is drawn by. */
export type BoardQuery = Static<typeof Query>

/** A board, as it is drawn. */
export interface Board {
  readonly kind: 'charuco' | 'chessboard' | 'aprilgrid'
  readonly paper: Paper
  /** Of squares; of tags on an aprilgrid. */
  readonly columns: number
  /** Of squares; of tags on an aprilgrid. */
  readonly rows: number
  /** Side of a square; on an aprilgrid, from one tag to the next. */
  readonly square_mm: number
  /** Of its markers; null: it has none. */
  readonly dictionary: { readonly name: string; readonly family: MarkerDictionary } | null
  readonly layout: 'new' | 'old'
}

/** Why there is no such board. */
export interface BoardFlaw {
  /** The parameter to change. */
  readonly parameter: keyof BoardQuery
  /** What is wrong with it, and what would do. */
  readonly message: string
}

const DEFAULT_SQUARES = { charuco: '11x7', chessboard: '10x7', aprilgrid: '8x5' } as const

/** The board that a query means, or why there is none. */
export const boardOf = (query: BoardQuery): Board | BoardFlaw => {
  const { kind = 'charuco', paper = 'a4', layout = 'new' } = query
  const [columns = 0, rows = 0] = (query.squares ?? DEFAULT_SQUARES[kind]).split('x').map(Number)
  const most = mostSquareMm(paper, columns, rows)
  const board: Board = {
    kind,
    paper,
    columns,
    rows,
    square_mm: query.square_mm ?? Math.floor(most),
    dictionary: dictionaryOf(kind, query.dictionary ?? '4x4_50'),
    layout,
  }
  return (
    foreignParameter(query, kind) ?? flawOfSquares(board) ?? flawOfMarkers(board) ?? flawOfSize(board, most) ?? board
  )
}

/** Whether `boardOf` has found a flaw. */
export const isBoardFlaw = (found: Board | BoardFlaw): found is BoardFlaw => 'parameter' in found

/** Which squares of a charuco board have a marker: row by row, that of each id. */
export const markerSquares = ({ columns, rows, layout }: Pick<Board, 'columns' | 'rows' | 'layout'>) => {
  const whiteFirst = layout === 'old' && rows % 2 === 0 ? 0 : 1
  return Array.from({ length: columns * rows }, (_, at) => ({ column: at % columns, row: Math.floor(at / columns) }))
    .filter(({ column, row }) => (column + row) % 2 === whiteFirst)
    .map((square, id) => ({ id, ...square }))
}

/** How many markers a board has. */
export const markerCount = (board: Board): number => {
  if (board.kind === 'chessboard') return 0
  return board.kind === 'aprilgrid' ? board.columns * board.rows : markerSquares(board).length
}

/** Side of a marker, with its black border: one module less than its square on each side. */
export const markerMm = ({ square_mm, dictionary }: Board): number => {
  if (!dictionary) return 0
  const inside = insideModules(dictionary.family)
  return (square_mm * (inside + 2)) / (inside + 4)
}

const dictionaryOf = (kind: Board['kind'], name: DictionaryName): Board['dictionary'] => {
  if (kind === 'chessboard') return null
  if (kind === 'aprilgrid') return { name: GRID_DICTIONARY.name, family: GRID_DICTIONARY.dictionary }
  return { name, family: DICTIONARIES[name].dictionary }
}

const mostSquareMm = (paper: Paper, columns: number, rows: number): number => {
  const { width_mm, height_mm } = PAPERS[paper]
  return Math.min((width_mm - BESIDE_MM.width) / columns, (height_mm - BESIDE_MM.height) / rows)
}

const foreignParameter = (query: BoardQuery, kind: Board['kind']): BoardFlaw | undefined => {
  const parameter = (['dictionary', 'layout'] as const).find((name) => query[name] !== undefined)
  if (!parameter || kind === 'charuco') return undefined
  return { parameter, message: `is of charuco boards alone, and this one is of the kind ${kind}; leave it out` }
}

const flawOfSquares = ({ kind, columns, rows }: Board): BoardFlaw | undefined => {
  const corners = kind === 'aprilgrid' ? 4 * columns * rows : (columns - 1) * (rows - 1)
  if (columns < MIN_SIDE || rows < MIN_SIDE || corners < MIN_CORNERS)
    return {
      parameter: 'squares',
      message: oneLine`
        ${columns}x${rows} has ${corners} corners, and a picture is used from ${MIN_CORNERS} on; take more, for instance
        ${DEFAULT_SQUARES[kind]}
      `,
    }
  if (kind === 'chessboard' && (columns + rows) % 2 === 0)
    return {
      parameter: 'squares',
      message: oneLine`
        a chessboard of ${columns}x${rows} looks the same upside down, so that nobody knows which corner is which; take
        an even and an odd number, for instance ${columns}x${rows - 1}
      `,
    }
  return undefined
}

const flawOfMarkers = (board: Board): BoardFlaw | undefined => {
  const name = board.dictionary?.name
  const has = name && name in DICTIONARIES ? DICTIONARIES[name as DictionaryName].markers : GRID_DICTIONARY.markers
  const needed = markerCount(board)
  if (needed <= has) return undefined
  const larger = Object.entries(DICTIONARIES).find(
    ([, { dictionary, markers }]) => dictionary === board.dictionary?.family && markers >= needed,
  )
  const parameter = larger ? 'dictionary' : 'squares'
  return {
    parameter,
    message: oneLine`
      ${board.columns}x${board.rows} takes ${needed} markers, and ${name} has ${has} of them here; take
      ${larger ? larger[0] : 'fewer squares'}
    `,
  }
}

const flawOfSize = ({ paper, columns, rows, square_mm, kind }: Board, most: number): BoardFlaw | undefined => {
  const { name, width_mm, height_mm } = PAPERS[paper]
  if (square_mm <= most && square_mm >= MIN_SQUARE_MM) return undefined
  const room = `${width_mm - BESIDE_MM.width} x ${height_mm - BESIDE_MM.height} mm`
  if (most < MIN_SQUARE_MM)
    return {
      parameter: 'squares',
      message: oneLine`
        ${columns}x${rows} would be smaller than ${MIN_SQUARE_MM} mm each on ${name}, which has ${room} for them; take
        fewer, for instance ${DEFAULT_SQUARES[kind]}, or a larger paper
      `,
    }
  return {
    parameter: 'square_mm',
    message: oneLine`
      ${columns}x${rows} of ${square_mm} mm are ${inMm(columns * square_mm)} x ${inMm(rows * square_mm)} mm, and ${name}
      has ${room} for them; take ${Math.floor(most * 10) / 10} mm or less, or a larger paper
    `,
  }
}

const inMm = (value: number): number => Math.round(value * 100) / 100
