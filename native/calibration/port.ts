// What computes calibrations: the board in pictures, and the lens of its corners.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { GuideAnswer, GuideBoard } from '../../machines/calibration/capture/look.ts'
import type { Solution } from '../../machines/calibration/solution.ts'
import type { FoundBoard, FoundCorner, SquareSize } from '../../machines/calibration/task.ts'
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

/** Of pictures. */
export interface PictureSize {
  readonly width_px: number
  readonly height_px: number
}

/** What guides a capture: it remembers the pictures that were taken. Faults as for the rest; it is of no use then. */
export interface CaptureGuide {
  /** What is to be seen in a JPEG or PNG. */
  readonly look: (picture: Uint8Array) => Effect.Effect<GuideAnswer, Fault>
  /** The same of a picture whose corners were found before; its edges are not measured. */
  readonly lookAt: (size: PictureSize, corners: readonly FoundCorner[]) => Effect.Effect<GuideAnswer, Fault>
  /** A picture was taken. */
  readonly take: (size: PictureSize, corners: readonly FoundCorner[]) => Effect.Effect<GuideAnswer, Fault>
  /** The board of pictures that were taken earlier. */
  readonly setBoard: (board: GuideBoard, size: PictureSize) => Effect.Effect<GuideAnswer, Fault>
}

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
  /** Starts to guide a capture. square: of the board. */
  readonly guide: (square: SquareSize) => Effect.Effect<CaptureGuide, Fault, Scope.Scope>
}

/** What computes calibrations on this device. */
export const CALIBRATION = token<CalibrationPort>('calibration')
