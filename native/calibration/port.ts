// What computes calibrations: the board in pictures, and the lens of its corners.
import type * as Effect from 'effect/Effect'
import type { Solution } from '../../machines/calibration/solution.ts'
import type { FoundBoard } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { Arriving } from '../media/port.ts'

/** What was found, or in a sentence why nothing was. */
export type Told<Found> = Found | { readonly ok: false; readonly detail: string }

/** How far it is. */
export interface CalibrationProgress {
  /** Of the program: `corners`, `solve`, `hold-out`. */
  readonly step: string
  /** Of its work, 0 to 1. */
  readonly share: number
}

/** Told now and then; it may not throw. */
export type ReportCalibration = (progress: CalibrationProgress) => void

/**
 * Fails with `calibration.child_died` where what computes has ended before it was done, or is not there, and with
 * `calibration.too_slow`. To stop waiting ends the computation.
 */
export interface CalibrationPort {
  /** The board in pictures, and its corners: absolute paths of files. */
  readonly corners: (paths: readonly string[], report?: ReportCalibration) => Effect.Effect<Told<FoundBoard>, Fault>
  /** The lens, of a task of machines/calibration/task.ts. */
  readonly solve: (task: string, report?: ReportCalibration) => Effect.Effect<Told<Solution>, Fault>
  /** A calibration file that is sent, whole. */
  readonly receive: (bytes: Arriving) => Promise<Uint8Array | Fault>
}

/** What computes calibrations on this device. */
export const CALIBRATION = token<CalibrationPort>('calibration')
