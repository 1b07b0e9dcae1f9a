// The tokens of restarts.
import { token } from '../../machines/token.ts'
import type { WatchDeviceUse } from './device-use.ts'
import type { Restarts } from './restarts.ts'

/** What goes on that is not to be interrupted. */
export const DEVICE_USE = token<WatchDeviceUse>('device-use')

/** Orders of restarts. */
export const RESTARTS = token<Restarts>('restarts')
