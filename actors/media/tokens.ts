// The tokens of the media.
import { token } from '../../machines/token.ts'
import type { TakeSnapshot } from './take-snapshot.ts'

/** Keeps a picture of a stream. */
export const TAKE_SNAPSHOT = token<TakeSnapshot>('take-snapshot')
