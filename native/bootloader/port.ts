// Who knows and changes the boot firmware of this device.
import type * as Effect from 'effect/Effect'
import type { Bootloader } from '../../machines/bootloader/bootloader.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

export interface BootloaderPort {
  /** It never fails: what is not known is said in words. */
  readonly status: Effect.Effect<Bootloader>
  /** Has the newest one put in by the next start of the device. Fails with `device.failed`. */
  readonly stage: Effect.Effect<void, Fault>
}

/** The boot firmware. */
export const BOOTLOADER = token<BootloaderPort>('bootloader')
