// A board on its sheet: what is black, and the words and rulers beside it. It becomes a PDF, or a picture.
import { oneLine } from '../../schema/one-line.ts'
import { BESIDE_MM, type Board, markerCount, markerMm, markerSquares, PAPERS } from './board.ts'
import { insideModules, type MarkerDictionary, whiteModules } from './marker-codes.ts'

/** A black rectangle. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A line of words. */
export interface Caption {
  readonly text: string
  /** Of the first letter. */
  readonly left: number
  /** Below the letters. */
  readonly baseline: number
}

/** A sheet with its board. All but the boxes of the board in millimetres from the upper left. */
export interface BoardDrawing {
  readonly width: number
  readonly height: number
  /** Of the board's upper left. */
  readonly left: number
  /** Of the board's upper left. */
  readonly top: number
  /** Millimetres of the unit in which the board is drawn: a module of its markers. */
  readonly unit: number
  /** What is black of the board, in whole units from its upper left. */
  readonly board: readonly Box[]
  /** What is black beside it. */
  readonly rulers: readonly Box[]
  readonly captions: readonly Caption[]
}

/** Height of a capital letter. */
export const LETTER_MM = 2.2

/** Between the outer ends of each ruler. */
export const RULER_MM = 100

const LEFT_MM = 17 // a ruler stands there
const TOP_MM = 8
const LINE_MM = 0.3
const TICK_MM = 3
const BESIDE_RULER_MM = 11.5 // from the middle of the upright one to the board: 10 mm of white
const LYING_RULER_MM = 20.5 // from the lower edge of the sheet
const BASELINES_MM = [14, 9] as const // from the lower edge

/** The sheet of a board. */
export const drawBoard = (board: Board): BoardDrawing => {
  const { width_mm: width, height_mm: height } = PAPERS[board.paper]
  const unitsOfSquare = unitsPerSquare(board)
  const left = LEFT_MM + (width - BESIDE_MM.width - board.columns * board.square_mm) / 2
  return {
    width,
    height,
    left,
    top: TOP_MM,
    unit: board.square_mm / unitsOfSquare,
    board: blackOf(board, unitsOfSquare),
    rulers: [...lyingRuler(LEFT_MM, height - LYING_RULER_MM), ...uprightRuler(left - BESIDE_RULER_MM, TOP_MM)],
    captions: captionsOf(board).map((text, at) => ({
      text,
      left: LEFT_MM,
      baseline: height - (BASELINES_MM[at] as number),
    })),
  }
}

const unitsPerSquare = ({ dictionary }: Board): number => (dictionary ? insideModules(dictionary.family) + 4 : 1)

const blackOf = (board: Board, units: number): readonly Box[] => {
  const { columns, rows, dictionary } = board
  const squares = Array.from({ length: columns * rows }, (_, at) => ({
    column: at % columns,
    row: Math.floor(at / columns),
  }))
  if (board.kind === 'aprilgrid') {
    // as Kalibr numbers them: from the lower left
    return squares.flatMap(({ column, row }) =>
      markerBoxes('tag36h11', (rows - 1 - row) * columns + column, column * units + 1, row * units + 1),
    )
  }
  const marked = markerSquares(board)
  const isWhite = new Set(marked.map(({ column, row }) => row * columns + column))
  const black = squares
    .filter(({ column, row }) => !isWhite.has(row * columns + column))
    .map(({ column, row }) => ({ left: column * units, top: row * units, width: units, height: units }))
  if (!dictionary) return black
  const markers = marked.flatMap(({ id, column, row }) =>
    markerBoxes(dictionary.family, id, column * units + 1, row * units + 1),
  )
  return [...black, ...markers]
}

/** The black modules of a marker, in runs. left, top: of its black border. */
const markerBoxes = (dictionary: MarkerDictionary, id: number, left: number, top: number): readonly Box[] => {
  const inside = whiteModules(dictionary, id)
  const side = inside.length + 2
  const isBlack = (column: number, row: number) => !inside[row - 1]?.[column - 1]
  return Array.from({ length: side }, (_, row) => {
    const dots = Array.from({ length: side }, (__, column) => (isBlack(column, row) ? '#' : ' ')).join('')
    return [...dots.matchAll(/#+/g)].map((run) => ({
      left: left + run.index,
      top: top + row,
      width: run[0].length,
      height: 1,
    }))
  }).flat()
}

const TICKS = Array.from({ length: RULER_MM / 10 + 1 }, (_, at) => ({
  // those at the ends lie within it: from end to end is what is measured
  at: at === 0 ? 0 : at * 10 - (at * 10 === RULER_MM ? LINE_MM : LINE_MM / 2),
  length: at % 5 === 0 ? TICK_MM : TICK_MM / 2,
}))

const lyingRuler = (left: number, middle: number): readonly Box[] => [
  { left, top: middle - LINE_MM / 2, width: RULER_MM, height: LINE_MM },
  ...TICKS.map(({ at, length }) => ({ left: left + at, top: middle - length / 2, width: LINE_MM, height: length })),
]

const uprightRuler = (middle: number, top: number): readonly Box[] => [
  { left: middle - LINE_MM / 2, top, width: LINE_MM, height: RULER_MM },
  ...TICKS.map(({ at, length }) => ({ left: middle - length / 2, top: top + at, width: length, height: LINE_MM })),
]

const captionsOf = (board: Board): readonly [string, string] => [
  `${factsOf(board)}, ${PAPERS[board.paper].name}`,
  oneLine`
    Print at 100 %, not fitted to the page: both lines must be ${RULER_MM}.0 mm. Measure both, then glue it flat to
    glass or metal.
  `,
]

const shownMm = (value: number): string => String(Math.round(value * 100) / 100)

/** What has to be known of a printed board, in words. */
const factsOf = (board: Board): string => {
  const { columns, rows, square_mm, dictionary, layout } = board
  const last = markerCount(board) - 1
  if (board.kind === 'chessboard') return `Chessboard ${columns}x${rows}, squares ${shownMm(square_mm)} mm`
  if (board.kind === 'aprilgrid')
    return oneLine`
      Tag grid ${columns}x${rows}, tags ${shownMm(markerMm(board))} mm, from tag to tag ${shownMm(square_mm)} mm,
      ${dictionary?.name} (0-${last})
    `
  return oneLine`
    ChArUco ${columns}x${rows}, squares ${shownMm(square_mm)} mm, markers ${shownMm(markerMm(board))} mm,
    ${dictionary?.name} (0-${last}), ${rows % 2 === 1 ? 'old and new layout' : `${layout} layout`}
  `
}
