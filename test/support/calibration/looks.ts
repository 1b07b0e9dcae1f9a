// Pictures of a board as the program that guides a capture tells of them.

import type { GuideKnown, Place } from '../../../machines/calibration/capture/look.ts'
import type { FittingLook } from '../../../machines/calibration/capture-machine.ts'
import type { FoundCorner } from '../../../machines/calibration/task.ts'

const COLUMNS = 11
const ROWS = 7
const SQUARE_PX = 50

/** right: by how many pixels the board is moved to the right. */
type Wanted = Partial<FittingLook> & { readonly right?: number }

/** An upright board, its upper left at 100, 100. */
export const capturedLook = ({ right = 0, ...wanted }: Wanted): FittingLook => ({
  key: 1,
  at_ms: 1_000,
  width_px: 1280,
  height_px: 800,
  markers: 38,
  corners: boardCorners(right),
  edge_px: 2,
  lowers: 0.1,
  outline: boardOutline(right),
  ...wanted,
})

const boardCorners = (right: number): readonly FoundCorner[] =>
  Array.from({ length: (COLUMNS - 1) * (ROWS - 1) }, (_, at): FoundCorner => {
    const [column, row] = [(at % (COLUMNS - 1)) + 1, Math.floor(at / (COLUMNS - 1)) + 1]
    return [column, row, 100 + right + column * SQUARE_PX, 100 + row * SQUARE_PX]
  })

/** Where the corners of that board are. */
export const boardOutline = (right: number): readonly Place[] => {
  const [left, top] = [100 + right, 100]
  const [farRight, bottom] = [left + COLUMNS * SQUARE_PX, top + ROWS * SQUARE_PX]
  return [
    [left, top],
    [farRight, top],
    [farRight, bottom],
    [left, bottom],
  ]
}

/** What is known by some pictures. */
export const guideKnown = (wanted: Partial<GuideKnown>): GuideKnown => ({
  pictures: 1,
  width_px: 1280,
  height_px: 800,
  mean_px: 5,
  focal_share: 0.001,
  condition: 300,
  board: { family: 'aruco_4x4', columns: COLUMNS, rows: ROWS, starts_white: false, marker_share: 0.75 },
  proposed: { outline: boardOutline(500), nearer: 'left', lowers: 0.2 },
  ...wanted,
})
