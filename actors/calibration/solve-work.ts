// Solving for a lens as work for jobs: the corners of a board are found in pictures, or are given, and the lens is
// computed of them, each in a process that ends with the job.
import * as Effect from 'effect/Effect'
import type { SolveResult } from '../../machines/calibration/calibration.ts'
import { doubtfulPictures, isBetter, leftOutPictures } from '../../machines/calibration/leave-out.ts'
import type { Solution } from '../../machines/calibration/solution.ts'
import { withoutPictures } from '../../machines/calibration/solve-request.ts'
import { type PictureName, type SolvedFor, solvedCalibration } from '../../machines/calibration/solved.ts'
import {
  type CalibrationTask,
  type Coefficients,
  calibrationTask,
  type FoundBoard,
  type SquareSize,
} from '../../machines/calibration/task.ts'
import { judge } from '../../machines/calibration/verdict.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CalibrationPort, CalibrationProgress, Told } from '../../native/calibration/port.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Work } from '../jobs/jobs.ts'

/** What it takes. */
export interface SolveParts {
  readonly calibration: CalibrationPort
  readonly clock: Pick<Clock, 'nowMs'>
}

/** What is to be solved. */
export interface WantedSolve {
  /** The board with its corners, or files in which it is to be looked for. */
  readonly from: { readonly board: FoundBoard } | { readonly paths: readonly string[] }
  /** Of each picture. */
  readonly names: readonly PictureName[]
  readonly square: SquareSize
  readonly coefficients: Coefficients
  readonly leaveOut: readonly number[]
  /** Whose lens it is, asked when the work begins. */
  readonly of: Effect.Effect<SolvedFor>
}

/** Of the progress: after the corners. */
const CORNERS_PERCENT = 60
const SOLVED_PERCENT = 95

/** What the steps of the programs are called. */
const STEPS: Readonly<Record<string, string>> = {
  corners: 'the board is looked for in the pictures',
  solve: 'the lens is computed',
  'leave-out': 'pictures that do not fit are looked for',
  bend: 'the board is looked at for being bent',
  'hold-out': 'the lens is tried on pictures that were held out',
  rational: 'a model with more coefficients is tried',
  predict: 'how well the lens is known is computed',
}

/** The work of a job. Its result is `{ calibration }`. */
export const solveWork =
  ({ calibration, clock }: SolveParts, wanted: WantedSolve): Work =>
  (report) =>
    Effect.gen(function* () {
      const between = (from: number, to: number) => (progress: CalibrationProgress) =>
        report({
          percent: from + (to - from) * progress.share,
          stage: progress.step,
          message: STEPS[progress.step] ?? '',
        })
      const of = yield* wanted.of
      const { from, square, coefficients } = wanted
      const found =
        'board' in from ? from.board : yield* answered(calibration.corners(from.paths, between(0, CORNERS_PERCENT)))
      const begin = 'board' in from ? 0 : CORNERS_PERCENT
      const taskWithout = (places: readonly number[]) =>
        calibrationTask(withoutPictures(found, places), square, coefficients)
      const task = taskWithout(wanted.leaveOut)
      if (typeof task === 'string') return yield* Effect.fail(notSolvable(task))
      const solution = yield* answered(calibration.solve(task.text, between(begin, SOLVED_PERCENT)))
      report({ percent: SOLVED_PERCENT, stage: 'judge', message: 'the calibration is judged' })
      const better = yield* betterWithout(calibration, { solution, task, taskWithout, leftOut: wanted.leaveOut })
      const made_at_ms = clock.nowMs()
      return {
        calibration: solvedCalibration({
          name: nameOf(of, made_at_ms),
          made_at_ms,
          of,
          board: found,
          square,
          names: wanted.names,
          task,
          solution,
          judgement: judge(solution, task.pictures),
          leaveOut: [...leftOutPictures(solution, task), ...better],
        }),
      } satisfies SolveResult
    })

interface Solved {
  readonly solution: Solution
  readonly task: CalibrationTask
  /** Those that were left out when it was solved. */
  readonly leftOut: readonly number[]
  readonly taskWithout: (places: readonly number[]) => CalibrationTask | string
}

/** The doubtful pictures, where the lens is known better without them. */
const betterWithout = (
  { solve }: CalibrationPort,
  { solution, task, leftOut, taskWithout }: Solved,
): Effect.Effect<readonly number[]> => {
  const doubtful = doubtfulPictures(solution, task)
  const others = doubtful.length > 0 ? taskWithout([...leftOut, ...doubtful]) : ''
  if (typeof others === 'string') return Effect.succeed([])
  return Effect.match(answered(solve(others.text)), {
    onSuccess: (without) => (isBetter(without, solution) ? doubtful : []),
    onFailure: () => [], // it is an advice, and the calibration is there
  })
}

/** What a program found; what it tells instead is a fault. */
const answered = <Found extends object>(effect: Effect.Effect<Told<Found>, Fault>): Effect.Effect<Found, Fault> =>
  Effect.flatMap(effect, (told) =>
    'detail' in told
      ? Effect.fail(notSolvable(String(told.detail)))
      : Effect.succeed(told as Exclude<Told<Found>, { readonly detail: string }>),
  )

const notSolvable = (detail: string): Fault => ({ code: 'calibration.not_solvable', detail })

const MAX_OWNER_LENGTH = 60
const UNSEEN = /\p{C}/gu

/** `HD Cam, 2026-11-27`. */
const nameOf = ({ camera_name, stream_id }: SolvedFor, atMs: number): string => {
  const owner = (camera_name ?? stream_id ?? '').replace(UNSEEN, '').slice(0, MAX_OWNER_LENGTH).toWellFormed().trim()
  return `${owner || 'Pictures'}, ${new Date(atMs).toISOString().slice(0, 10)}`
}
