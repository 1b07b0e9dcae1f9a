// What a camera is called, and the modes in which it gives pictures.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'

/** What a camera_uid is, wherever one is named. */
export const ABOUT_CAMERA_UID =
  '12 characters: cam- and 8 of a to z and 2 to 7. The lasting name of a camera, whatever port and device file it has.'

/** The lasting name of a unit, of our making: never that of its device file, which is another after the next start. */
export const CameraUid = Type.String({
  pattern: '^cam-[a-z2-7]{8}$',
  description: ABOUT_CAMERA_UID,
  examples: ['cam-k3f7q2ma'],
})

/** The pixel formats that are understood, as a camera captures. */
export const PixelFormat = Type.Enum(['mjpeg', 'yuyv', 'grey', 'nv12', 'uyvy', 'y10'], {
  title: 'PixelFormat',
  description: 'mjpeg: a JPEG for each picture. grey, y10: brightness alone, of 8 and 10 bits. The others have colour.',
})
export type PixelFormat = Static<typeof PixelFormat>

/** The fields of a mode, wherever one is named. */
export const modeFields = {
  pixel_format: PixelFormat,
  width_px: Type.Integer({ minimum: 16, maximum: 8192, description: 'Of the picture.' }),
  height_px: Type.Integer({ minimum: 16, maximum: 8192, description: 'Of the picture.' }),
  fps: Type.Number({ minimum: 0.1, maximum: 1000, description: 'Pictures per second.' }),
}

/** A way in which a camera gives pictures. */
export const CameraMode = Type.Object(modeFields, {
  additionalProperties: false,
  title: 'CameraMode',
  description: 'A way in which a camera gives pictures.',
})
export type CameraMode = Static<typeof CameraMode>
