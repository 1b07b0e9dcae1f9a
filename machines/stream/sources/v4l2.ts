// A camera that is plugged in, as a source.
import type { Static } from 'typebox'
import { CameraUid, modeFields } from '../../cameras/mode.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { sourceKind } from './source-kind.ts'

const strict = { additionalProperties: false } as const

const about = 'A camera that is plugged in, by its lasting name.'

/** A camera of the device. What of its mode is left out, the best mode of the camera says. */
export const V4l2Source = Type.Object(
  {
    backend: Type.Literal('v4l2'),
    camera_uid: CameraUid,
    pixel_format: Type.Optional(modeFields.pixel_format),
    width_px: Type.Optional(modeFields.width_px),
    height_px: Type.Optional(modeFields.height_px),
    fps: Type.Optional(modeFields.fps),
  },
  {
    ...strict,
    title: 'V4l2Source',
    description: `${about} What is left out of the mode is chosen from the modes that the camera has.`,
  },
)
export type V4l2Source = Static<typeof V4l2Source>

const MODE = ['pixel_format', 'width_px', 'height_px', 'fps'] as const

/** A camera that is plugged in. */
export const v4l2Kind = sourceKind({
  backend: 'v4l2',
  sent: V4l2Source,
  whole: Type.Object(
    { backend: Type.Literal('v4l2'), camera_uid: CameraUid, ...modeFields },
    { ...strict, title: 'CanonicalV4l2Source', description: about },
  ),
  traits: {
    ownCamera: (source) => source,
    size: ({ width_px, height_px }) => ({ width_px, height_px }),
    fps: ({ fps }) => fps,
    /** A mode that nobody could fill in: whoever knows the camera did so before (camera-mode.ts). */
    errors: (source) =>
      MODE.filter((field) => source[field] === undefined).map((field) => ({
        pointer: `/source/${field}`,
        message: oneLine`
          is missing, and the camera ${source.camera_uid} is not plugged in, so that its modes are not known; plug it
          in, or say the whole mode`,
      })),
  },
})
