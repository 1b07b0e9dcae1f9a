// The tokens of the cameras.
import { token } from '../../machines/token.ts'
import type { Cameras } from './cameras.ts'

/** The cameras of this device. */
export const CAMERAS = token<Cameras>('cameras')
