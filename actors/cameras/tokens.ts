// What the room of cameras offers to others.
import { token } from '../../machines/token.ts'
import type { Cameras } from './cameras.ts'

/** The cameras of this device. */
export const CAMERAS = token<Cameras>('cameras')
