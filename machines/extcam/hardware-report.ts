// A report for people about a camera and its lens: the vendor's has a field of view and the like, and
// no names that anybody reads.
import { fieldOfViewDeg } from '../stream/field-of-view.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import { type Hardware, knownOrZero } from './snapshot.ts'
import { nicknameOf } from './status-json.ts'

/** What is reported. */
export interface ReportedCamera {
  /** Of the pictures; 0: none have come. */
  readonly width_px: number
  /** Of the pictures; 0: none have come. */
  readonly height_px: number
  /** Null: not calibrated. */
  readonly intrinsics: Intrinsics | null
  readonly hardware: Hardware | undefined
}

const NO_FIELD = { hfov_deg: 0, vfov_deg: 0 }
const HUNDREDTH = 100

/** A list with one report: a stream has one camera. What is not known is 0. table: of the stream. */
export const hardwareReport = ({ width_px, height_px, intrinsics, hardware = {} }: ReportedCamera, table: string) => [
  {
    name: nicknameOf(table),
    cid: '',
    hwType: 0,
    width_px,
    height_px,
    calibrated: intrinsics ? 1 : 0,
    ...(intrinsics ? fieldOfViewDeg(intrinsics) : NO_FIELD),
    principal_offset_px: intrinsics
      ? [offset(intrinsics.width_px, intrinsics.cx_px), offset(intrinsics.height_px, intrinsics.cy_px)]
      : [0, 0],
    focal_length_px: intrinsics ? [intrinsics.fx_px, intrinsics.fy_px] : [0, 0],
    distortion: intrinsics?.distortion ?? [],
    temp: rounded(knownOrZero(hardware.temp)),
  },
]

/** From the middle of the picture. */
const offset = (size: number, centre: number): number => rounded(centre - (size - 1) / 2)

const rounded = (value: number): number => Math.round(value * HUNDREDTH) / HUNDREDTH + 0
