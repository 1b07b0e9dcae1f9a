// A calibration file that is sent, as it arrives.
import { MAX_CALIBRATION_FILE_BYTES } from '../../machines/calibration/formats/file-text.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Arriving } from '../media/port.ts'
import { receiveWhole } from '../media/receive-whole.ts'

/** All of it; nothing is kept of one that is too long, too slow or cut off. */
export const receiveCalibration = (bytes: Arriving): Promise<Uint8Array | Fault> =>
  receiveWhole(bytes, MAX_CALIBRATION_FILE_BYTES)
