// A board whose corners are known, solved by the programs as a job would.
import * as Effect from 'effect/Effect'
import { solveWork, type WantedSolve } from '../../../actors/calibration/solve-work.ts'
import type { SolvedCalibration, SolveResult } from '../../../machines/calibration/calibration.ts'
import type { FoundBoard, SquareSize } from '../../../machines/calibration/task.ts'
import { linuxCalibration } from '../../../native/calibration/linux.ts'
import { SQUARE_MM } from './simulated-set.ts'

const NOBODY = { stream_id: null, camera_uid: null, camera_name: null, pixel_format: null, lens_controls: [] }

/** What comes of it. */
export const solveBoard = async (
  board: FoundBoard,
  square: SquareSize = { width_mm: SQUARE_MM, height_mm: SQUARE_MM },
  deriveFrom?: WantedSolve['deriveFrom'],
): Promise<SolvedCalibration> => {
  const work = solveWork(
    { calibration: linuxCalibration(), clock: { nowMs: () => 0 } },
    {
      from: { board },
      names: board.pictures.map((_, at) => ({ name: `picture ${at + 1}`, media_id: null })),
      square,
      coefficients: 0,
      leaveOut: [],
      deriveFrom,
      of: Effect.succeed(NOBODY),
    },
  )
  const result = await Effect.runPromise(
    Effect.scoped(
      work(
        () => {},
        (effect) => effect,
      ),
    ),
  )
  return (result as SolveResult).calibration
}
