// A boot firmware that is out of date, until it is staged.
import * as Effect from 'effect/Effect'
import { type Bootloader, bootloaderExample } from '../../machines/bootloader/bootloader.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { BootloaderPort } from './port.ts'

export class FakeBootloader implements BootloaderPort {
  shown: Bootloader = bootloaderExample
  /** Why nothing is staged, while it is set. */
  fault: Fault | undefined

  readonly status = Effect.sync(() => this.shown)

  readonly stage = Effect.suspend(() => {
    if (this.fault) return Effect.fail(this.fault)
    this.shown = { ...this.shown, state: 'staged', detail: 'The next start of the device puts it in.' }
    return Effect.void
  })
}
