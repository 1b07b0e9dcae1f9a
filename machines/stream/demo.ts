// The stream of the demo.
import type { StreamManifest } from './manifest.ts'

/** A robot that drives around the demo field with one camera on it. */
export const demoStream: StreamManifest = {
  id: 'demo',
  alias: 'Demo camera',
  source: { backend: 'synthetic' },
  pose: { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 },
}
