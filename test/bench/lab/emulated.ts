// Streams on emulated cameras under measurement.
import { setTimeout as delay } from 'node:timers/promises'
import type { CameraMode } from '../../../machines/cameras/mode.ts'
import { type Daemon, getJson } from './daemon.ts'

/** A source that is the camera with this node in this mode, once the daemon has looked at it. */
export const sourceOn = async ({ url }: Daemon, device: string, mode: CameraMode) => {
  for (let n = 0; n < 100; n += 1, await delay(100)) {
    const { items } = await getJson<{ items: { camera_uid: string; device: string }[] }>(
      `${url}/v1/peripherals/cameras`,
    )
    const found = items.find((camera) => camera.device === device)
    if (found) return { backend: 'v4l2', camera_uid: found.camera_uid, ...mode } as const
  }
  throw new Error(`no camera is found at ${device}`)
}
