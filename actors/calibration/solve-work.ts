// Solving for a lens as work for jobs: the corners of a board are found in pictures, or are given, and the lens is
// computed of them, each in a process that ends with the job.
import * as Effect from 'effect/Effect'
import type { Calibration, SolveResult } from '../../machines/calibration/calibration.ts'
import { derivedCalibration, derivedLenses, type TriedLens } from '../../machines/calibration/derived.ts'
import { doubtfulPictures, isBetter, leftOutPictures } from '../../machines/calibration/leave-out.ts'
import type { Solution } from '../../machines/calibration/solution.ts'
import { withoutPictures } from '../../machines/calibration/solve-request.ts'
import { type PictureName, type SolvedFor, solvedCalibration } from '../../machines/calibration/solved.ts'
import { isTurned, STRETCH_STEP, stretchByFits } from '../../machines/calibration/stretch.ts'
import {
  type CalibrationTask,
  type Coefficients,
  calibrationTask,
  type FoundBoard,
  MIN_CALIBRATION_PICTURES,
  MIN_TRIED_PICTURES,
  type SquareSize,
  withLens,
} from '../../machines/calibration/task.ts'
import { type Evidence, judge, type Stretch } from '../../machines/calibration/verdict.ts'
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
  /** The calibration of another mode that is tried on the pictures; undefined: they are solved. */
  readonly deriveFrom?: { readonly id: string; readonly value: Calibration } | undefined
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
      const minPictures = wanted.deriveFrom ? MIN_TRIED_PICTURES : MIN_CALIBRATION_PICTURES
      const taskWithout = (places: readonly number[]) =>
        calibrationTask(withoutPictures(found, places), square, coefficients, minPictures)
      const task = taskWithout(wanted.leaveOut)
      if (typeof task === 'string') return yield* Effect.fail(notSolvable(task))
      const told = between(begin, SOLVED_PERCENT)
      const tried = wanted.deriveFrom && (yield* triedLens(calibration, wanted.deriveFrom.value, task, told))
      const solution = tried?.solution ?? (yield* answered(calibration.solve(task.text, told)))
      report({ percent: SOLVED_PERCENT, stage: 'judge', message: 'the calibration is judged' })
      const stretch = tried ? null : yield* foundStretch(calibration, { board: found, square, solution, task })
      const markers = markersOf(found, task)
      const better = tried
        ? []
        : yield* betterWithout(calibration, { solution, task, taskWithout, leftOut: wanted.leaveOut })
      const made_at_ms = clock.nowMs()
      const solved = solvedCalibration({
        name: nameOf(of, made_at_ms),
        made_at_ms,
        of,
        board: found,
        square,
        names: wanted.names,
        task,
        solution,
        judgement: judge(solution, task.pictures, { stretch, markers }),
        leaveOut: [...leftOutPictures(solution, task), ...better],
      })
      const { deriveFrom } = wanted
      return {
        calibration:
          deriveFrom && tried ? derivedCalibration(solved, { id: deriveFrom.id, ...deriveFrom.value }, tried) : solved,
      } satisfies SolveResult
    })

/** Of pictures whose markers were counted. */
const markersOf = ({ pictures }: FoundBoard, { used }: CalibrationTask): Required<Evidence>['markers'] =>
  used.flatMap((place) => {
    const picture = pictures[place]
    return picture && 'corners' in picture ? [{ fitting: picture.markers, strays: picture.strays ?? 0 }] : []
  })

/** The lens of another mode that fits the pictures best. */
const triedLens = (
  { solve }: CalibrationPort,
  { intrinsics }: Calibration,
  task: CalibrationTask,
  told: (progress: CalibrationProgress) => void,
): Effect.Effect<TriedLens & { readonly solution: Solution }, Fault> =>
  Effect.gen(function* () {
    const { width_px, height_px } = task.pictures
    if (width_px === intrinsics.width_px && height_px === intrinsics.height_px)
      return yield* Effect.fail(
        notSolvable(`the pictures have ${width_px}x${height_px} as the calibration has: apply it`),
      )
    const lenses = derivedLenses(intrinsics, task.pictures)
    const all = yield* Effect.forEach(lenses, (lens, at) => {
      const toldOfAll = (progress: CalibrationProgress) =>
        told({ ...progress, share: (at + progress.share) / lenses.length })
      return Effect.map(answered(solve(withLens(task, lens.intrinsics).text, toldOfAll)), (solution) => ({
        lens,
        solution,
        ratio: (solution.given_rms_px ?? Number.POSITIVE_INFINITY) / (solution.rms_px ?? Number.NaN),
      }))
    })
    const [best] = all.filter(({ ratio }) => Number.isFinite(ratio)).toSorted((one, other) => one.ratio - other.ratio)
    return best ?? (yield* Effect.fail(notSolvable('the pictures do not fit any lens: take others')))
  })

interface Turned {
  readonly board: FoundBoard
  readonly square: SquareSize
  readonly solution: Solution
  readonly task: CalibrationTask
}

/** By how much squares are wider than was said, where the board was turned; null: nobody can tell. */
const foundStretch = (
  { solve }: CalibrationPort,
  { board, square, solution, task }: Turned,
): Effect.Effect<Stretch | null> => {
  if (!isTurned(solution)) return Effect.succeed(null)
  const left = withoutPictures(board, [
    ...leftOutPictures(solution, task),
    ...task.unused.map(({ picture }) => picture),
  ])
  const rmsAt = (share: number): Effect.Effect<number, Fault> => {
    const widths = { ...square, width_mm: square.width_mm * (1 + share) }
    const each = calibrationTask(left, widths, solution.coefficients)
    if (typeof each === 'string') return Effect.succeed(Number.NaN)
    return Effect.map(answered(solve(each.text)), ({ rms_px }) => rms_px ?? Number.NaN)
  }
  const corners = task.used.reduce((sum, place, at) => {
    const picture = board.pictures[place]
    return solution.views[at]?.is_used && picture && 'corners' in picture ? sum + picture.corners.length : sum
  }, 0)
  const around = (share: number): Effect.Effect<Stretch | null, Fault> =>
    Effect.map(
      Effect.all([share - STRETCH_STEP, share, share + STRETCH_STEP].map(rmsAt)),
      ([narrower = 0, middle = 0, wider = 0]) => stretchByFits({ share, narrower, middle, wider, corners }),
    )
  return around(0).pipe(
    // further away it is no parabola
    Effect.flatMap((stretch) =>
      stretch && Math.abs(stretch.share) > STRETCH_STEP ? around(clamped(stretch.share)) : Effect.succeed(stretch),
    ),
    Effect.orElseSucceed(() => null), // the calibration is there without it
  )
}

const MAX_STRETCH = 0.2

const clamped = (share: number): number => Math.max(-MAX_STRETCH, Math.min(MAX_STRETCH, share))

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
const UNSEEN = /\p{C}/gu // also half a character, where it was cut

/** `HD Cam, 2026-11-27`. */
const nameOf = ({ camera_name, stream_id }: SolvedFor, atMs: number): string => {
  const owner = (camera_name ?? stream_id ?? '').slice(0, MAX_OWNER_LENGTH).replace(UNSEEN, '').trim()
  return `${owner || 'Pictures'}, ${new Date(atMs).toISOString().slice(0, 10)}`
}
