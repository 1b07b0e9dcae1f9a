// Where things are moved and turned to by chance.
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { Chance } from './chance.ts'

/** How far one thing is moved and turned; so much is one deviation of each axis. */
export const offsetBy = ({ normal }: Chance, m: number, deg: number): PoseDocument => ({
  x_m: m * normal(),
  y_m: m * normal(),
  z_m: m * normal(),
  roll_deg: deg * normal(),
  pitch_deg: deg * normal(),
  yaw_deg: deg * normal(),
})
