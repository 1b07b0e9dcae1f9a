// What the room of updates offers to others.
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { UpdateState } from '../../machines/update/update-state.ts'

/** Where an update stands now. */
export const UPDATE_VIEW = token<() => UpdateState | Fault>('update-view')
