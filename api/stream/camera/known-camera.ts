// A camera that a request names, as much of it as its mode is chosen by.
import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { modesOf } from '../../../machines/cameras/camera-info.ts'
import type { KnownCamera } from '../../../machines/stream/sources/camera-mode.ts'
import type { Given } from '../../../machines/token.ts'

/** The needs of finding a camera. */
export const knownCameraNeeds = {
  cameras: CAMERAS,
}
type KnownCameraParts = Given<typeof knownCameraNeeds>

/** undefined: this device has never met it. */
export const knownCamera = ({ cameras }: KnownCameraParts, uid: string): KnownCamera | undefined => {
  const camera = cameras.present(uid)
  if (camera)
    return {
      modes: camera.node.answer.ok ? modesOf(camera.node) : null,
      conditions: cameras.conditionsOf(camera.node),
    }
  const isKnown = cameras.units.some(({ camera_uid }) => camera_uid === uid)
  return isKnown ? { modes: null, conditions: { cores: 1, speed_mbit_s: null } } : undefined
}
