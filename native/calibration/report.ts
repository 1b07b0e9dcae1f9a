// A calibration in words, for a terminal.
import type { Solution } from '../../machines/calibration/solution.ts'
import type { CalibrationTask, FoundBoard } from '../../machines/calibration/task.ts'
import type { Judgement } from '../../machines/calibration/verdict.ts'
import type { Intrinsics } from '../../machines/stream/manifest.ts'

/** All that is told of one calibration. names: of the pictures. */
export interface Calibrated {
  readonly names: readonly string[]
  readonly board: FoundBoard
  readonly task: CalibrationTask
  readonly solution: Solution
  readonly judgement: Judgement
}

/** Lines: the board, the pictures, the verdict with its reasons, and the numbers. */
export const calibrationReport = ({ names, board, task, solution, judgement }: Calibrated): string => {
  const nameOf = (picture: number) => names[picture] ?? `picture ${picture + 1}`
  return [
    `Board: ${boardInWords(board)}`,
    '',
    ...task.used.map((picture, at) => {
      const view = solution.views[at]
      if (!view) return nameOf(picture)
      const part = view.is_used ? `adds ${shown(100 * view.adds, 1)} %` : 'left out'
      const tilt = `tilted ${shown(view.tilt_x_deg, 0)} and ${shown(view.tilt_y_deg, 0)} degrees`
      return `${nameOf(picture)}: rms ${shown(view.rms_px, 2)} px, ${tilt}, ${part}`
    }),
    ...task.unused.map(({ picture, detail }) => `${nameOf(picture)}: not used, ${detail}`),
    '',
    `Verdict: ${judgement.verdict}`,
    ...judgement.reasons.map(({ detail }) => `- ${detail}`),
    '',
    [
      `fx ${shown(solution.lens[0], 2)} px, deviation ${shown(solution.deviations[0], 2)}`,
      `predicted error ${shown(solution.mean_px, 2)} px in the mean, ${shown(solution.max_px, 2)} at most`,
      `rms ${shown(solution.rms_px, 3)} px`,
    ].join('; '),
  ].join('\n')
}

const boardInWords = ({ kind = 'charuco', columns, rows, family, starts_white, marker_share }: FoundBoard): string => {
  const size = `${columns}x${rows}`
  if (kind === 'chessboard') return `chessboard ${size}`
  const layout = starts_white ? ', old layout' : ''
  const what = kind === 'charuco' ? `charuco ${size}` : `grid of ${size} tags`
  return `${what}, ${family}${layout}, markers ${shown(marker_share, 2)} of a square`
}

/** As a stream has them. */
export const intrinsicsOf = ({ lens }: Solution, { pictures }: CalibrationTask): Intrinsics => {
  const [fx_px, fy_px, cx_px, cy_px, ...distortion] = lens as readonly number[] as [number, number, number, number]
  const { width_px, height_px } = pictures
  return { width_px, height_px, fx_px, fy_px, cx_px, cy_px, distortion }
}

const shown = (value: number | null | undefined, digits: number): string =>
  value == null ? 'unknown' : value.toFixed(digits)
