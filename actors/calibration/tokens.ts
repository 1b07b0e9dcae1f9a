// What the room of calibrations offers to others.
import { token } from '../../machines/token.ts'
import type { CaptureRegistry } from './capture-registry.ts'

/** All captures, for what shows and keeps them. */
export const CAPTURE_REGISTRY = token<CaptureRegistry>('capture-registry')
