// What the device knows of its own condition.
import type { Hardware } from '../../machines/extcam/snapshot.ts'
import { token } from '../../machines/token.ts'

/**
 * May be called with each frame: it answers at once with what was read last, and reads again at most every other
 * second, aside.
 */
export interface HardwarePort {
  /** undefined: nothing was read yet, or nothing lately. The same object until something new was read. */
  readonly latest: () => Hardware | undefined
}

/** The condition of this device. */
export const HARDWARE = token<HardwarePort>('hardware')
