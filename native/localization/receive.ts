// A field map that is sent, as it arrives.
import type { Fault } from '../../machines/errors/fault.ts'
import { MAX_MAP_BYTES } from '../../machines/localization/field-map.ts'
import type { Arriving } from '../media/port.ts'
import { receiveWhole } from '../media/receive-whole.ts'

/** All of it; nothing is kept of one that is too long, too slow or cut off. */
export const receiveMap = (bytes: Arriving): Promise<Uint8Array | Fault> => receiveWhole(bytes, MAX_MAP_BYTES)
