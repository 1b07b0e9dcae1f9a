// The boot firmware, asked for when somebody reads it, and staged by one caller at a time.
import * as Effect from 'effect/Effect'
import * as Semaphore from 'effect/Semaphore'
import type { Bootloader } from '../../machines/bootloader/bootloader.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { BootloaderPort } from '../../native/bootloader/port.ts'

export interface BootloaderView {
  /** As it is now. */
  readonly status: () => Promise<Bootloader>
  /** Stages the newest one; how it is then, or why it was not done. */
  readonly stage: () => Promise<Bootloader | Fault>
}

/** Makes it. */
export const bootloaderView = (port: BootloaderPort): BootloaderView => {
  const turns = Semaphore.makeUnsafe(1)
  const stage = Effect.match(Effect.andThen(port.stage, port.status), {
    onSuccess: (status): Bootloader | Fault => status,
    onFailure: (fault): Bootloader | Fault => fault,
  })
  return {
    status: () => Effect.runPromise(port.status),
    stage: () => Effect.runPromise(turns.withPermits(1)(stage)),
  }
}
