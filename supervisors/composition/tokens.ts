// The tokens that the composition itself offers to all branches, besides the directory.
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import type { Listeners } from '../../machines/listeners.ts'
import { token } from '../../machines/token.ts'
import type { Log } from '../../native/log/port.ts'
import type { Options } from '../options.ts'
import type { RecordBugs } from '../supervision/bugs.ts'
import type { LifecycleEvent, Supervisor } from '../supervision/supervisor.ts'

export const OPTIONS = token<Options>('options')
export const LOG = token<Log>('log')
/** Enters a fault in the error history, and in the log. */
export const RECORD = token<RecordFault>('record')
export const ON_BUG = token<RecordBugs>('on-bug')
export const SUPERVISOR = token<Supervisor>('supervisor')
/** Where the supervisor tells of its children. */
export const LIFECYCLE = token<Listeners<LifecycleEvent>>('lifecycle')
/** Where it tells that what people are shown of a child, which has this id, may be another. */
export const SHOWN = token<Listeners<string>>('shown')

/** What it takes to start children. */
export const supervision = { supervisor: SUPERVISOR, lifecycle: LIFECYCLE, onBug: ON_BUG }
