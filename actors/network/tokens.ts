// The tokens of the networks.
import type { Latest } from '../../machines/latest.ts'
import type { DatedNews } from '../../machines/network/record.ts'
import { token } from '../../machines/token.ts'
import type { NetworkLook } from './network-look.ts'

/** The change under way, or the last one of this run; empty: there was none. */
export const NETWORK_CHANGE = token<Latest<DatedNews>>('network-change')

/** What readers see of the networks. */
export const NETWORK_LOOK = token<NetworkLook>('network-look')
