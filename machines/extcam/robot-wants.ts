// The requests of a robot program to a stream, beside its live controls, and what of them is in force. It lives until
// the device's next boot, and is no setting.
import type { PoseDocument } from '../localization/pose.ts'
import type { CanonicalManifest } from '../stream/manifest.ts'
import type { LiveControls } from './live.ts'

/** What a robot has set beside the live controls. */
export interface RobotWants {
  /** Where the camera sits on the robot; null: where the manifest says. */
  readonly mount: PoseDocument | null
  /** Whether more pictures are kept of those that the manifest has kept. */
  readonly keepsRewind: boolean
  /** 0 to 8: what lights shall show (machines/lighting/led-mode.ts). */
  readonly ledMode: number
  /** Wanted, and kept for devices that have them; nothing on this device does. */
  readonly videoLayout: number
  /** Wanted, and kept for devices that have them; nothing on this device does. */
  readonly keystone: readonly [horizontal: number, vertical: number]
}

export const NO_WANTS: RobotWants = {
  mount: null,
  keepsRewind: true,
  ledMode: 0,
  videoLayout: 0,
  keystone: [0, 0],
}

/**
 * The live controls as an engine is told them: a stream that has a part of the picture already is given no window in
 * it. skip: how many frames are left out after each in any case.
 */
export const liveInForce = (
  live: LiveControls,
  { crop }: Pick<CanonicalManifest, 'crop'>,
  skip: number,
): LiveControls => ({
  ...live,
  skip: Math.max(live.skip, skip),
  window: crop ? null : live.window,
})

/** Where the camera sits on the robot. */
export const mountInForce = ({ mount }: RobotWants, { pose }: Pick<CanonicalManifest, 'pose'>): PoseDocument | null =>
  mount ?? pose ?? null
