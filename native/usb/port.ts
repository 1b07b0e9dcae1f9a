// USB as the system has it: what is plugged in, and the power of the ports.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { UsbPortFacts, UsbReading } from '../../machines/usb/reading.ts'

export interface UsbPort {
  /** What there is now. It never fails: what cannot be read is left out. */
  readonly read: Effect.Effect<UsbReading>
  /** Calls back when a device may have come or gone, for as long as the scope is open. It may miss one. */
  readonly watch: (changed: () => void) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Has ports switched, each in the first way that works. Fails with `device.failed` when one of them refuses; the
   * others are switched all the same. What is off is known to the next run.
   */
  readonly power: (ports: readonly UsbPortFacts[], isOn: boolean) => Effect.Effect<void, Fault>
  /** Switches on what an earlier run has left off; how many ports. */
  readonly restore: Effect.Effect<number>
}

/** The USB of this device. */
export const USB = token<UsbPort>('usb')
