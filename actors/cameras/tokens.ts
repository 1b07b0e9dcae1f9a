// The tokens of the cameras.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { Cameras } from './cameras.ts'

/** The cameras of this device. */
export const CAMERAS = token<Cameras>('cameras')

/** A camera whose port shall be without power for a moment. */
export interface HangingCamera {
  /** Of its USB device, in sysfs; it need not be there now. */
  readonly folder: string
  /** The stream that has it. */
  readonly stream_id: string
}

/** Who switches the USB port of a camera that hangs. */
export interface CameraPower {
  /**
   * Switches it off and on, and waits until the camera is back. Fails when nothing can, when others would lose
   * pictures, a disk or a network with it, when it was done a short while ago, and when it was in vain.
   */
  readonly cycle: (camera: HangingCamera) => Effect.Effect<void, Fault>
}

/** The power of the cameras of this device. */
export const CAMERA_POWER = token<CameraPower>('camera-power')
