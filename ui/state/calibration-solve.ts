// Lenses that are being computed, as jobs, and what came of it.
import { api, ask, type Documents } from '../api/client.ts'
import type { FoundCalibration } from './calibrations.ts'

type Job = Documents['Job']

/** What is solved, and how. */
export type SolveRequest = Documents['CalibrationSolveRequest']

/** What such jobs are called. */
export const SOLVE_JOB = 'calibration_solve'

/** Starts one; the answer names the job at once. */
export const startSolve = (wanted: SolveRequest) =>
  ask(api.POST('/v1/calibration/solve', { body: { ...wanted, wait: false } }))

/** What a job has found; undefined: nothing, or not yet. */
export const foundBy = ({ kind, result }: Job): FoundCalibration | undefined =>
  kind === SOLVE_JOB
    ? ((result as { readonly calibration?: FoundCalibration } | null)?.calibration ?? undefined)
    : undefined

/** What is to be solved again without some of its pictures; undefined: nobody knows any more which they were. */
export const againWithout = (
  { board, pictures, stream_id }: FoundCalibration,
  leave_out: readonly number[],
  captureId: string | undefined,
): SolveRequest | undefined => {
  if (!board) return undefined
  const { square_width_mm, square_height_mm } = board
  const names = pictures.flatMap(({ media_id }) => media_id ?? [])
  const shared = {
    square_width_mm,
    square_height_mm,
    leave_out: [...leave_out],
    ...(stream_id !== null && { stream_id }),
  }
  if (captureId !== undefined) return { capture_id: captureId, ...shared }
  return names.length === pictures.length ? { media_ids: names, ...shared } : undefined
}
