// What this device calls itself.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

export interface HostnamePort {
  /** The name in force, wherever it was set. Fails with `device.failed`. */
  readonly read: Effect.Effect<string, Fault>
  /** Gives another, at once and for later starts. Fails with `device.failed`; what is in force then, a read tells. */
  readonly write: (name: string) => Effect.Effect<void, Fault>
}

/** The name of this device. */
export const HOSTNAME = token<HostnamePort>('hostname')
