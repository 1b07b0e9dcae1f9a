// From the corners that were found in pictures to what the solver is given, and why some of it cannot be.
import { oneLine } from '../schema/one-line.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import type { SolvedPictures } from './solution.ts'

/** Of the solver (native/addon/calibration/procedure.h). */
export const MIN_CALIBRATION_PICTURES = 4
export const MAX_CALIBRATION_PICTURES = 300
/** For a lens that is only tried. */
export const MIN_TRIED_PICTURES = 3
export const MIN_PICTURE_CORNERS = 12

/**
 * Squares to the left of the corner and above it, of a tag's corner with the part of one, and where it is seen, from
 * the centre of the first pixel.
 */
export type FoundCorner = readonly [column: number, row: number, u: number, v: number]

/** What was found in one picture, or why nothing was. */
export type FoundPicture =
  | {
      readonly width_px: number
      readonly height_px: number
      readonly markers: number
      /** Markers of something else; missing: nobody has counted. */
      readonly strays?: number
      readonly corners: readonly FoundCorner[]
    }
  | { readonly detail: string }

/** A board that was recognised in pictures, and its corners in each of them. */
export interface FoundBoard {
  /** tag_grid: tags in rows, of which each corner counts. Default: charuco. */
  readonly kind?: 'charuco' | 'chessboard' | 'tag_grid'
  /** The family of its markers; empty: it has none. */
  readonly family: string
  /** Squares. */
  readonly columns: number
  /** Squares, as far as they were seen. */
  readonly rows: number
  /** Its upper left square has the first marker: the old layout of a board with an even number of rows. */
  readonly starts_white: boolean
  /** Side of a marker, in squares. */
  readonly marker_share: number
  /** Of the markers that were found: those that lie where this board has them. */
  readonly fitting_share: number
  readonly pictures: readonly FoundPicture[]
}

/** How large a square is as it was printed, measured over many of them. */
export interface SquareSize {
  readonly width_mm: number
  readonly height_mm: number
}

/** What the solver is given. */
export interface CalibrationTask {
  /** For the program. */
  readonly text: string
  readonly pictures: SolvedPictures
  /** Of the pictures that are used: their places among all. */
  readonly used: readonly number[]
  /** Why each of the others is not: its place among all, and a sentence. */
  readonly unused: readonly { readonly picture: number; readonly detail: string }[]
}

/** 4, 5 or 8 coefficients; 0: by the solver's rule. */
export type Coefficients = 0 | 4 | 5 | 8

/** The task of a board's pictures; a sentence where there is none. */
export const calibrationTask = (
  board: FoundBoard,
  { width_mm, height_mm }: SquareSize,
  coefficients: Coefficients = 0,
  minPictures = MIN_CALIBRATION_PICTURES,
): CalibrationTask | string => {
  const copied = copiesIn(board.pictures)
  const looked = board.pictures.map((picture, at) => ({ picture, at, why: whyUnused(picture) ?? copied.get(at) }))
  const used = looked.flatMap(({ picture, at, why }) => (why || !('corners' in picture) ? [] : [{ ...picture, at }]))
  const sizes = new Set(used.map((picture) => `${picture.width_px}x${picture.height_px}`))
  const [first] = used
  if (used.length < minPictures || !first)
    return oneLine`
      the board is to be seen in ${used.length} of ${board.pictures.length - copied.size} pictures, and it takes
      ${minPictures} at least
    `
  if (used.length > MAX_CALIBRATION_PICTURES)
    return `${used.length} pictures are more than the ${MAX_CALIBRATION_PICTURES} that are solved at once`
  if (sizes.size > 1)
    return oneLine`
      the pictures have different sizes (${[...sizes].join(', ')}): a calibration is of one mode of a camera; leave out
      those of the others
    `
  const [halfWidth, halfHeight] = [(board.columns * width_mm) / 2000, (board.rows * height_mm) / 2000]
  const places = used.map(({ corners }) => [
    corners.length,
    ...corners.map(([column, row, u, v]) =>
      [u, v, (column * width_mm) / 1000 - halfWidth, (row * height_mm) / 1000 - halfHeight].join(' '),
    ),
  ])
  // which end of a chessboard is up differs from picture to picture, so its bend would be another one in each
  const mayBend = board.kind === 'chessboard' ? 0 : 1
  const head = [first.width_px, first.height_px, halfWidth, halfHeight, coefficients, mayBend, used.length]
  return {
    text: `${[head.join(' '), ...places.flat()].join('\n')}\n`,
    pictures: {
      width_px: first.width_px,
      height_px: first.height_px,
      board_m: 2 * Math.max(halfWidth, halfHeight),
    },
    used: used.map(({ at }) => at),
    unused: looked.flatMap(({ at, why }) => (why ? [{ picture: at, detail: why }] : [])),
  }
}

/** The same task, with a lens that is tried on the pictures. */
export const withLens = (task: CalibrationTask, lens: Intrinsics): CalibrationTask => {
  const { fx_px, fy_px, cx_px, cy_px, distortion } = lens
  return {
    ...task,
    text: `${task.text}LENS ${[distortion.length, fx_px, fy_px, cx_px, cy_px, ...distortion].join(' ')}\n`,
  }
}

/** By place, why a picture is none of its own. A copy would make the lens look known better than it is. */
const copiesIn = (pictures: readonly FoundPicture[]): ReadonlyMap<number, string> => {
  const seen = new Map<string, number>()
  const copies = new Map<number, string>()
  for (const [at, picture] of pictures.entries()) {
    if (!('corners' in picture)) continue
    const corners = JSON.stringify(picture.corners)
    const first = seen.get(corners)
    if (first === undefined) seen.set(corners, at)
    else copies.set(at, `it is a copy of picture ${first + 1}, and says nothing new`)
  }
  return copies
}

const whyUnused = (picture: FoundPicture): string | undefined => {
  if ('detail' in picture) return picture.detail
  const { length } = picture.corners
  if (length >= MIN_PICTURE_CORNERS) return undefined
  return oneLine`
    ${length} corners of the board are to be seen, and it takes ${MIN_PICTURE_CORNERS} at least: hold it nearer, in full
    view, and still
  `
}
