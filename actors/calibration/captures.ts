// What a capture gives to who solves: the corners that were kept of its pictures.
import * as Effect from 'effect/Effect'
import type { FoundBoard } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { quote } from '../../machines/schema/quote.ts'

/** The pictures of one capture. */
export interface CapturedPictures {
  /** The stream whose lens it is; null: the pictures came otherwise. */
  readonly stream_id: string | null
  /** The board that was recognised, with its corners in each picture. */
  readonly board: FoundBoard
  /** Of each of these, in the same order: what people call it, and the media item that it is. */
  readonly names: readonly { readonly name: string; readonly media_id: string | null }[]
}

/** All captures. */
export interface CalibrationCaptures {
  /** Fails with `calibration.capture_not_found`. */
  readonly picturesOf: (id: string) => Effect.Effect<CapturedPictures, Fault>
}

export const captureNotFound = (id: string): Fault => ({
  code: 'calibration.capture_not_found',
  detail: `there is no capture ${quote(id)}`,
})

/** Where nothing is captured. */
export const noCaptures: CalibrationCaptures = { picturesOf: (id) => Effect.fail(captureNotFound(id)) }
