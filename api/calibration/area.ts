// Calibrating cameras: the boards that are held in front of them, and what came of it.
import {
  type Board,
  type BoardFlaw,
  type BoardQuery,
  boardOf,
  boardQuery,
  isBoardFlaw,
} from '../../machines/calibration/board/board.ts'
import { drawBoard } from '../../machines/calibration/board/drawing.ts'
import { boardPdf } from '../../machines/calibration/board/pdf.ts'
import { rasterBoard } from '../../machines/calibration/board/raster.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { areaOf } from '../endpoints/area.ts'
import { blob } from '../endpoints/blob.ts'
import { area } from '../endpoints/endpoint.ts'
import { fault } from '../problems/problem.ts'
import { ofStream, ofStreamNeeds } from '../stream/of-stream.ts'
import { streamParams } from '../stream/wire.ts'
import { applyNeeds, applyRows } from './apply.ts'
import { bitmapPng } from './bitmap-png.ts'
import { captureNeeds, captureRows } from './captures.ts'
import { checkNeeds, checkRow } from './check.ts'
import { fileNeeds, fileRows } from './files.ts'
import { keptNeeds, keptRows } from './kept.ts'
import { solveNeeds, solveRows } from './solve.ts'

const ABOUT_BOARD = oneLine`
  On it stand what it is, and two lines of 100 mm: measure both of them after printing. Without parameters: a charuco
  board of 11x7 squares as large as A4 has room for.
`

/** What both forms of a board have in common. */
const form = {
  params: streamParams,
  query: boardQuery,
  headers: { 'Content-Disposition': 'A name for the file, which says what board it is.' },
  faults: ['stream.not_found', 'query.invalid'],
} as const

const needs = {
  ...ofStreamNeeds,
  ...solveNeeds,
  ...applyNeeds,
  ...keptNeeds,
  ...fileNeeds,
  ...captureNeeds,
  ...checkNeeds,
}

/** Boards to print, and what was found out with them. */
export const calibrationArea = areaOf(needs, (parts) => {
  const wantedBoard = (id: string, query: BoardQuery): Board | Fault =>
    ofStream(parts, id, () => {
      const found = boardOf(query)
      return isBoardFlaw(found) ? refusalOf(found) : found
    })

  return area('calibration', 'Finding out what the lens of a camera does.', [
    blob('GET', '/v1/streams/:id/calibration/board', {
      ...form,
      summary: 'A calibration board as a picture',
      about: oneLine`
        ${ABOUT_BOARD} One bit per pixel at about 300 pixels an inch; a module is a whole number of pixels, and how
        large a pixel is stands in the file. A screen shows it in true size only where that is heeded.
      `,
      mediaType: 'image/png',
      get: async ({ params, query }) => {
        const board = wantedBoard(params.id, query)
        if (isFault(board)) return board
        return { bytes: await bitmapPng(rasterBoard(drawBoard(board))), headers: namedFor(board, 'png') }
      },
    }),

    blob('GET', '/v1/streams/:id/calibration/board.pdf', {
      ...form,
      summary: 'A calibration board to print',
      about: oneLine`
        ${ABOUT_BOARD} In true size: print it at 100 %, and glue it to something that is flat.
      `,
      mediaType: 'application/pdf',
      get: ({ params, query }) => {
        const board = wantedBoard(params.id, query)
        if (isFault(board)) return board
        return { bytes: boardPdf(drawBoard(board)), headers: namedFor(board, 'pdf') }
      },
    }),

    ...solveRows(parts),
    ...applyRows(parts),
    ...keptRows(parts),
    ...fileRows(parts),
    ...captureRows(parts),
    checkRow(parts),
  ])
})

const refusalOf = ({ parameter, message }: BoardFlaw): Fault =>
  fault('query.invalid', `${parameter}: ${message}`, { errors: [{ pointer: `/${parameter}`, message }] })

const namedFor = ({ kind, columns, rows, square_mm, paper }: Board, ending: string) => ({
  'content-disposition': `inline; filename="${kind}-${columns}x${rows}-${square_mm}mm-${paper}.${ending}"`,
})
