// The tokens of NT4.
import type { Latest } from '../../machines/latest.ts'
import type { Nt4Settings } from '../../machines/nt4/settings.ts'
import { token } from '../../machines/token.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import type { WriteScheduler } from './write-scheduler.ts'

/** The link to the robot; the slot is empty while there is none. */
export const NT4_LINK = token<Latest<Nt4Session | undefined>>('nt4-link')

/**
 * Whether the robot is enabled, by its own word; it holds for some minutes when the robot is not heard any more. Empty:
 * no robot has said anything since the start of the service.
 */
export const ROBOT_ENABLED = token<Latest<boolean>>('robot-enabled')

/** The NT4 settings in force: stored ones over the options of the start. revision 0: never changed. */
export const NT4_SETTINGS = token<() => { readonly revision: number; readonly value: Nt4Settings }>('nt4-settings')

/** What is in force once this is stored, over the options of the start. */
export const NT4_IN_FORCE = token<(stored: Partial<Nt4Settings>) => Nt4Settings>('nt4-in-force')

/** When tables are written whose frames wait. */
export const NT4_TURNS = token<WriteScheduler>('nt4-turns')
