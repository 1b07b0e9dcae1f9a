// The lens of a stream as it is in use: what its camera was calibrated to, or what is assumed of one that was not.
import type { Static } from 'typebox'
import type { AppliedCrop } from '../cameras/crop.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { ASSUMED_FOCAL_WIDTHS, fieldOfViewDeg } from './field-of-view.ts'
import type { Intrinsics } from './manifest.ts'

const SOURCES = ['calibration', 'computed', 'guessed'] as const

/** The lens in a stream's status. */
export const StreamLens = Type.Object(
  {
    source: Type.Enum([...SOURCES], {
      description: oneLine`
        calibration: the intrinsics of the stream. computed: those that the synthetic camera has by itself. guessed:
        nobody has calibrated the camera; no poses are solved, and angles are about right.
      `,
    }),
    width_px: Type.Integer({
      description: oneLine`
        Of the pictures that all this is of. Where that is not the size of the stream's pictures, the calibration is
        for another mode and no poses are solved.
      `,
    }),
    height_px: Type.Integer({ description: 'Of the pictures that all this is of.' }),
    fx_px: Type.Number({ description: 'Focal length, horizontal.' }),
    fy_px: Type.Number({ description: 'Focal length, vertical.' }),
    cx_px: Type.Number({ description: 'Optical centre, from the centre of the first pixel to the right.' }),
    cy_px: Type.Number({ description: 'Optical centre, from the centre of the first pixel down.' }),
    distortion: Type.Array(Type.Number(), {
      description: "OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6; none: a pinhole.",
    }),
    hfov_deg: Type.Number({ description: 'From the left edge to the right, without distortion.' }),
    vfov_deg: Type.Number({ description: 'From the top edge to the bottom, without distortion.' }),
  },
  {
    additionalProperties: false,
    title: 'StreamLens',
    description: "The intrinsics and the field of view that are in use, of the stream's pictures: cropped as they are.",
  },
)
export type StreamLens = Static<typeof StreamLens>

/** What a camera said when it was opened, as far as its lens is concerned. */
export interface OpenedLens {
  /** Of the pictures, cropped. */
  readonly width_px: number
  /** Of the pictures, cropped. */
  readonly height_px: number
  readonly crop: AppliedCrop | null
  /** Of such pictures; null: nobody knows them. */
  readonly intrinsics: Intrinsics | null
}

/** isCalibrated: whether the stream has intrinsics of its own. */
export const lensInUse = (opened: OpenedLens, isCalibrated: boolean): StreamLens => {
  const intrinsics = opened.intrinsics ?? assumedIntrinsics(opened)
  const { width_px, height_px, fx_px, fy_px, cx_px, cy_px, distortion } = intrinsics
  const source = opened.intrinsics === null ? 'guessed' : isCalibrated ? 'calibration' : 'computed'
  const field = fieldOfViewDeg(intrinsics)
  return { source, width_px, height_px, fx_px, fy_px, cx_px, cy_px, distortion: [...distortion], ...field }
}

const assumedIntrinsics = ({ width_px, height_px, crop }: OpenedLens): Intrinsics => {
  const whole = crop?.picture ?? { width_px, height_px }
  const focalPx = ASSUMED_FOCAL_WIDTHS * whole.width_px
  return {
    width_px,
    height_px,
    fx_px: focalPx,
    fy_px: focalPx,
    cx_px: (whole.width_px - 1) / 2 - (crop?.x_px ?? 0),
    cy_px: (whole.height_px - 1) / 2 - (crop?.y_px ?? 0),
    distortion: [],
  }
}
