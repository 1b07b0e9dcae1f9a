// The document of a calibration that was just solved.

import { schemaErrors } from '../schema/errors.ts'
import type { Intrinsics as IntrinsicsDocument } from '../stream/manifest.ts'
import { Intrinsics } from '../stream/manifest.ts'
import type { CalibrationPicture, LensControl, SolvedCalibration } from './calibration.ts'
import type { Solution } from './solution.ts'
import type { CalibrationTask, FoundBoard, SquareSize } from './task.ts'
import type { Judgement } from './verdict.ts'

/** What is known of the lens beside the pictures. */
export interface SolvedFor {
  readonly stream_id: string | null
  readonly camera_uid: string | null
  readonly camera_name: string | null
  readonly pixel_format: string | null
  readonly lens_controls: readonly LensControl[]
}

/** A picture, for people. */
export interface PictureName {
  readonly name: string
  /** null: it is no media item. */
  readonly media_id: string | null
}

/** All that a calibration came of. */
export interface SolvedParts {
  readonly name: string
  readonly made_at_ms: number
  readonly of: SolvedFor
  readonly board: FoundBoard
  readonly square: SquareSize
  /** Of the board's pictures, in their order. */
  readonly names: readonly PictureName[]
  readonly task: CalibrationTask
  readonly solution: Solution
  readonly judgement: Judgement
  /** Pictures without which it would be better, by their places. */
  readonly leaveOut: readonly number[]
}

/** The document. Its numbers have as many digits as mean something. */
export const solvedCalibration = (parts: SolvedParts): SolvedCalibration => {
  const { solution, task, judgement, of } = parts
  const { width_px, height_px } = task.pictures
  return {
    name: parts.name,
    origin: 'solved',
    made_at_ms: parts.made_at_ms,
    stream_id: of.stream_id,
    camera_uid: of.camera_uid,
    camera_name: of.camera_name,
    width_px,
    height_px,
    pixel_format: of.pixel_format,
    lens_controls: [...of.lens_controls],
    intrinsics: lensOf(solution, task),
    deviations: solution.deviations.map((each) => significant(each, SHOWN_DIGITS)),
    covariance: solution.covariance.map((each) => significant(each, SHOWN_DIGITS)),
    rms_px: rounded(solution.rms_px),
    board: {
      kind: parts.board.kind ?? 'charuco',
      family: parts.board.family || null,
      columns: parts.board.columns,
      rows: parts.board.rows,
      square_width_mm: parts.square.width_mm,
      square_height_mm: parts.square.height_mm,
      layout: layoutOf(parts.board),
    },
    bend_mm: solution.has_bend ? solution.bend_m.map((each) => rounded(each * 1000) ?? 0) : null,
    stretch: judgement.stretch,
    map: {
      columns: solution.map_columns,
      rows: solution.map_rows,
      error_px: solution.map_px.map(rounded),
      mean_px: rounded(solution.mean_px),
      max_px: rounded(solution.max_px),
    },
    verdict: judgement.verdict,
    reasons: judgement.reasons.map(({ code, allows, values, detail }) => ({ code, allows, values, detail })),
    pictures: picturesOf(parts),
    leave_out: [...parts.leaveOut],
    source: null,
  }
}

const SHOWN_DIGITS = 6

const significant = (value: number | null, digits: number): number | null =>
  value === null ? null : Number(value.toPrecision(digits))

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)))

/** As a stream has them; null: no lens has these numbers. */
export const lensOf = ({ lens }: Solution, { pictures }: CalibrationTask): IntrinsicsDocument | null => {
  const [fx_px, fy_px, cx_px, cy_px, ...distortion] = lens
  const { width_px, height_px } = pictures
  const found = { width_px, height_px, fx_px, fy_px, cx_px, cy_px, distortion }
  return schemaErrors(Intrinsics, found).length === 0 ? (found as IntrinsicsDocument) : null
}

/** A board with an odd number of rows has but one, and one without markers none. */
export const layoutOf = ({
  rows,
  starts_white,
  family,
}: Pick<FoundBoard, 'rows' | 'starts_white' | 'family'>): 'new' | 'old' | null => {
  if (family === '' || rows % 2 === 1) return null
  return starts_white ? 'old' : 'new'
}

const NOT_LOOKED_AT = {
  is_used: false,
  rms_px: null,
  worst_px: null,
  adds: null,
  tilt_x_deg: null,
  tilt_y_deg: null,
  width_share: null,
  height_share: null,
}

const picturesOf = ({ names, task, solution, leaveOut }: SolvedParts): CalibrationPicture[] =>
  names.map(({ name, media_id }, at) => {
    const view = solution.views[task.used.indexOf(at)]
    const unused = task.unused.find(({ picture }) => picture === at)
    if (!view) return { media_id, name, ...NOT_LOOKED_AT, detail: unused?.detail ?? null }
    const { is_used, rms_px, worst_px, adds, tilt_x_deg, tilt_y_deg, width_share, height_share } = view
    return {
      media_id,
      name,
      is_used,
      rms_px: rounded(rms_px),
      worst_px: rounded(worst_px),
      adds: is_used ? rounded(adds) : null,
      tilt_x_deg: rounded(tilt_x_deg),
      tilt_y_deg: rounded(tilt_y_deg),
      width_share: rounded(width_share),
      height_share: rounded(height_share),
      detail: detailOf(is_used, leaveOut.includes(at)),
    }
  })

const detailOf = (isUsed: boolean, isBetterOut: boolean): string | null => {
  if (!isUsed) return 'it does not fit the others, and is left out: blurred, or read wrongly'
  return isBetterOut ? 'without it the lens would be known better: it is blurred, or the board moved' : null
}
