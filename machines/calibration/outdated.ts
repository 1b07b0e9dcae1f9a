// What speaks against a calibration by now: the camera is set otherwise than when it was made.

import type { CameraUnit } from '../cameras/unit.ts'
import { oneLine } from '../schema/one-line.ts'
import type { Calibration, CalibrationReason } from './calibration.ts'

/** A stream on which it is in force. */
export interface StreamInForce {
  readonly id: string
  readonly camera_uid: string | null
  /** Of its mode; null: nobody knows. */
  readonly pixel_format: string | null
  /** Of its whole picture; null: nobody knows. */
  readonly width_px: number | null
  /** Of its whole picture; null: nobody knows. */
  readonly height_px: number | null
}

/** What is known of the rest of the device. */
export interface CalibratedDevice {
  /** Of the units, what a user has set since. */
  readonly units: readonly Pick<CameraUnit, 'camera_uid' | 'controls'>[]
  /** Those on which it is in force. */
  readonly streams: readonly StreamInForce[]
}

/** Reasons; none: nothing that is known has changed. */
export const outdatedReasons = (calibration: Calibration, device: CalibratedDevice): CalibrationReason[] => [
  ...movedLens(calibration, device),
  ...device.streams.flatMap((stream) => [...otherMode(calibration, stream), ...otherUnit(calibration, stream)]),
]

const movedLens = ({ camera_uid, lens_controls }: Calibration, { units }: CalibratedDevice): CalibrationReason[] => {
  const wanted = units.find((unit) => unit.camera_uid === camera_uid)?.controls ?? []
  return lens_controls.flatMap(({ control_id, name, value }) => {
    const now = wanted.find(({ id }) => id === control_id)
    if (!now || now.value === value) return []
    return [
      {
        code: 'focus_changed',
        allows: 'usable',
        values: { before: value, now: now.value },
        detail: oneLine`
          ${name} was ${value} when it was made, and is ${now.value} now: set it back, or calibrate again
        `,
      } as const,
    ]
  })
}

const otherMode = ({ width_px, height_px, pixel_format }: Calibration, stream: StreamInForce): CalibrationReason[] => {
  const isOtherSize =
    stream.width_px !== null &&
    stream.height_px !== null &&
    (stream.width_px !== width_px || stream.height_px !== height_px)
  const isOtherFormat = pixel_format !== null && stream.pixel_format !== null && stream.pixel_format !== pixel_format
  if (!isOtherSize && !isOtherFormat) return []
  const before = `${width_px}x${height_px}${pixel_format === null ? '' : ` ${pixel_format}`}`
  const now = `${stream.width_px ?? width_px}x${stream.height_px ?? height_px} ${stream.pixel_format ?? ''}`.trim()
  return [
    {
      code: 'mode_changed',
      allows: isOtherSize ? 'refused' : 'usable',
      values: {},
      detail: oneLine`
        it is of the mode ${before}, and ${stream.id} runs in ${now}: other modes may show another part of the sensor;
        go back to that mode, or calibrate in this one
      `,
    },
  ]
}

const otherUnit = ({ camera_uid }: Calibration, stream: StreamInForce): CalibrationReason[] =>
  camera_uid === null || stream.camera_uid === null || stream.camera_uid === camera_uid
    ? []
    : [
        {
          code: 'camera_changed',
          allows: 'usable',
          values: {},
          detail: oneLine`
            it is of the camera ${camera_uid}, and ${stream.id} has ${stream.camera_uid} now: two units of one kind
            differ by one or two per cent; calibrate this one
          `,
        },
      ]
