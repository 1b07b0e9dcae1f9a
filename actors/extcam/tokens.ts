// What the room of the emulated camera offers to others.
import { token } from '../../machines/token.ts'
import type { Adapters } from './adapters.ts'
import type { ExtcamTables } from './tables.ts'

/** Which stream the robot finds under which table. */
export const EXTCAM_TABLES = token<ExtcamTables>('extcam-tables')

/** The adapters, by table. */
export const EXTCAM_ADAPTERS = token<Adapters>('extcam-adapters')
