// A picture of a chart that is sent, as it arrives.
import type { Fault } from '../../machines/errors/fault.ts'
import type { Arriving } from '../media/port.ts'
import { receiveWhole } from '../media/receive-whole.ts'

const MAX_BYTES = 64 * 1024 * 1024 // a raw picture of 20 megapixels
const TOTAL_MS = 120_000 // over a bad link

/** All of it; nothing is kept of one that is too long, too slow or cut off. */
export const receivePicture = (bytes: Arriving): Promise<Uint8Array | Fault> => receiveWhole(bytes, MAX_BYTES, TOTAL_MS)
