// A real engine process on a machine that has an emulated camera.
import type { TestContext } from 'node:test'
import { type EngineProbe, startEngine } from '../../engine/engine-task.ts'
import { type EmulatedCamera, type EmulatedUsb, emulatedUsb } from './cameras.ts'
import type { CameraModel } from './models.ts'

/** The camera is plugged in, and not yet opened. */
export interface EngineBesideCamera {
  readonly usb: EmulatedUsb
  readonly camera: EmulatedCamera
  readonly probe: EngineProbe
}

/** Starts one; both end with the test. */
export const engineBesideCamera = async (t: TestContext, model: CameraModel): Promise<EngineBesideCamera> => {
  const usb = emulatedUsb(t)
  usb.useHere(t)
  const camera = usb.plug(model)
  return { usb, camera, probe: await startEngine(t) }
}
