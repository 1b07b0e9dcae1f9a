// The whole service on a machine that has an emulated camera.
import type { TestContext } from 'node:test'
import type { Camera } from '../../../../api/cameras/wire.ts'
import { type Daemon, site } from '../../processes/daemon.ts'
import { until } from '../../until.ts'
import { type EmulatedCamera, emulatedUsb, type Place } from './cameras.ts'
import type { CameraModel } from './models.ts'

/** camera_uid: the lasting name of the camera, whose modes are known by now. */
export interface DaemonWithCamera {
  readonly daemon: Daemon
  readonly dataDir: string
  readonly camera: EmulatedCamera
  readonly camera_uid: string
  /** Starts the service again, after it has ended. */
  readonly startAgain: () => Promise<Daemon>
}

/** Starts it and waits until it has found the camera; no stream has that. */
export const daemonWithCamera = async (t: TestContext, model: CameraModel, at?: Place): Promise<DaemonWithCamera> => {
  const usb = emulatedUsb(t)
  const camera = usb.plug(model, at)
  const place = site(t, undefined, usb.environment)
  const daemon = await place.start()
  const [found] = await until(
    'the camera',
    async () => (await daemon.get<{ readonly items: readonly Camera[] }>('/v1/peripherals/cameras')).items,
    ([first]) => first?.best_mode,
  )
  const startAgain = () => place.start()
  return { daemon, dataDir: place.dataDir, camera, camera_uid: (found as Camera).camera_uid, startAgain }
}
