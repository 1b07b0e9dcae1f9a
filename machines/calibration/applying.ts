// Whether a calibration may be kept, and whether it may be put in force on a stream: pure.
import type { PictureSize } from '../cameras/crop.ts'
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import type { Calibration, SolvedCalibration } from './calibration.ts'

/** A stream that is to have a calibration. */
export interface StreamToCalibrate {
  readonly id: string
  /** Of the unit that it has; null: none of this device. */
  readonly camera_uid: string | null
  /** Of its whole picture; undefined: nobody knows yet. */
  readonly size: PictureSize | undefined
}

/** What keeps a calibration from being kept; null: nothing. */
export const refusalToKeep = ({ verdict, intrinsics, reasons }: SolvedCalibration): Fault | null =>
  verdict === 'refused' || !intrinsics
    ? {
        code: 'calibration.refused',
        detail: oneLine`
          the calibration says nothing about the lens: ${reasons[0]?.detail ?? 'take other pictures'}
        `,
      }
    : null

/** What keeps a calibration from being put in force; null: nothing. isForced: its sender knows that it is poor. */
export const refusalToApply = (calibration: Calibration, stream: StreamToCalibrate, isForced: boolean): Fault | null =>
  refusalToKeep(calibration) ??
  otherSize(calibration, stream) ??
  (isForced ? null : (tooPoor(calibration) ?? otherCamera(calibration, stream)))

const otherSize = ({ width_px, height_px }: Calibration, { id, size }: StreamToCalibrate): Fault | null =>
  !size || (size.width_px === width_px && size.height_px === height_px)
    ? null
    : {
        code: 'calibration.other_size',
        detail: oneLine`
          the calibration is of pictures of ${width_px}x${height_px}, and those of ${id} have
          ${size.width_px}x${size.height_px}: calibrate in this mode, change the mode of the stream, or have it derived
          and checked by three pictures (\`derive_from\` of POST /v1/calibration/solve)
        `,
        context: { calibrated: { width_px, height_px }, stream: { ...size } },
      }

const tooPoor = ({ verdict, reasons }: Calibration): Fault | null =>
  verdict === 'poor'
    ? {
        code: 'calibration.needs_force',
        detail: oneLine`
          the calibration is poor, and poses would be off: ${reasons[0]?.detail ?? 'take more pictures'}. Repeat with
          \`force\` to have it all the same
        `,
      }
    : null

const otherCamera = (calibration: Calibration, { id, camera_uid }: StreamToCalibrate): Fault | null =>
  camera_uid === null || calibration.camera_uid === null || calibration.camera_uid === camera_uid
    ? null
    : {
        code: 'calibration.needs_force',
        detail: oneLine`
          the calibration is of the camera ${calibration.camera_uid}, and ${id} has ${camera_uid}: two units of one kind
          differ by one or two per cent. Repeat with \`force\` to have it all the same
        `,
      }
