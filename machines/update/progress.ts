// How far the present step of an update is: a slot that whoever works fills as often as it likes.
import type { Latest } from '../latest.ts'
import { token } from '../token.ts'

/** How far a step is. */
export interface UpdateFigures {
  readonly bytes: number
  /** null: not known. */
  readonly totalBytes: number | null
}

/** Of the present step; the machine's own view says which one that is. */
export const UPDATE_PROGRESS = token<Latest<UpdateFigures>>('update-progress')
