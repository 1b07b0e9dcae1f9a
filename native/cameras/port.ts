// The cameras that are plugged into this device.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { CameraAnswer, VideoNode } from '../../machines/cameras/camera-info.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

export interface CamerasPort {
  /** Of the processor: what the pictures of a camera may cost. */
  readonly cores: number
  /**
   * All device files for video, with what the system knows of them. Fails with `device.failed`; what cannot be read of
   * one of them is left out.
   */
  readonly nodes: Effect.Effect<readonly VideoNode[], Fault>
  /** What their drivers answer, one for each, in that order; none of them is made to stream. */
  readonly ask: (devices: readonly string[]) => Effect.Effect<readonly CameraAnswer[]>
  /** Calls back when a device file for video has come or gone, for as long as the scope is open. It may miss one. */
  readonly watch: (changed: () => void) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Has the system take a USB device away and find it again. Fails with `device.failed`, also where the service may not
   * do that.
   */
  readonly reset: (node: VideoNode) => Effect.Effect<void, Fault>
}

/** The cameras of this device. */
export const CAMERAS_PORT = token<CamerasPort>('cameras-port')
