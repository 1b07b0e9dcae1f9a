// The mode of a stream's camera, where its user leaves that to us; and that a camera has the mode which is wanted.
import { bytesPerSecond, modeText } from '../../cameras/bandwidth.ts'
import { bestMode, type ModeConditions } from '../../cameras/best-mode.ts'
import type { CameraMode } from '../../cameras/mode.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { quote } from '../../schema/quote.ts'
import type { StreamManifest } from '../manifest.ts'
import type { Sourced } from '../sent-manifest.ts'
import type { WantedCamera } from './source-kind.ts'
import { ownCameraOf } from './traits.ts'

/** A camera that this device has met. */
export interface KnownCamera {
  /** null while it is not plugged in, or does not answer. */
  readonly modes: readonly CameraMode[] | null
  readonly conditions: ModeConditions
}

/** Finds a camera by its lasting name; undefined: there was never such a one. */
export type CameraOf = (uid: string) => KnownCamera | undefined

/** The manifest with the whole mode of its camera, as far as that is known. */
export const withMode = (manifest: StreamManifest, cameraOf: CameraOf): Sourced => {
  const { source } = manifest
  const wanted = ownCameraOf(source)
  if (!wanted) return { ok: true, manifest }
  const camera = cameraOf(wanted.camera_uid)
  if (!camera) return refused('/source/camera_uid', unknown(wanted.camera_uid))
  if (!camera.modes) return { ok: true, manifest }
  const mode = modeFor(wanted, camera.modes, camera.conditions)
  return mode
    ? { ok: true, manifest: { ...manifest, source: { ...source, ...mode } } }
    : refused('/source', `asks for a mode that the camera does not have; it has ${modesText(camera.modes)}`)
}

const unknown = (uid: string): string =>
  `is ${quote(uid)}, which is no camera that this device has met; GET /v1/peripherals/cameras lists them`

const refused = (
  pointer: string,
  message: string,
): { readonly ok: false; readonly errors: readonly SchemaError[] } => ({
  ok: false,
  errors: [{ pointer, message }],
})

/** The best of the modes that are as wanted; what nothing is said about may be anything. */
export const modeFor = (
  { pixel_format, width_px, height_px, fps }: Omit<WantedCamera, 'camera_uid'>,
  modes: readonly CameraMode[],
  conditions: ModeConditions,
): CameraMode | undefined => {
  const fitting = modes.filter(
    (mode) =>
      (pixel_format ?? mode.pixel_format) === mode.pixel_format &&
      (width_px ?? mode.width_px) === mode.width_px &&
      (height_px ?? mode.height_px) === mode.height_px &&
      isRate(fps ?? mode.fps, mode.fps),
  )
  const isWhole = [pixel_format, width_px, height_px, fps].every((field) => field !== undefined)
  return isWhole ? fitting[0] : bestMode(fitting, conditions)
}

/** 30 is wanted of cameras that say 29.97. */
const isRate = (wanted: number, fps: number): boolean => Math.abs(wanted - fps) <= 0.01 * fps

const MAX_SHOWN = 12

/** Its modes in words, the largest first. */
export const modesText = (modes: readonly CameraMode[]): string => {
  if (modes.length === 0) return 'none that is understood here'
  const shown = modes.toSorted((a, b) => bytesPerSecond(b) - bytesPerSecond(a)).slice(0, MAX_SHOWN)
  const more = modes.length > MAX_SHOWN ? ` and ${modes.length - MAX_SHOWN} more` : ''
  return shown.map(modeText).join(', ') + more
}
