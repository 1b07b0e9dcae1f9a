// Who starts this service, or the whole device, again.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { RestartNote, RestartTarget } from '../../machines/restart/restart-order.ts'
import { token } from '../../machines/token.ts'

export interface RestartPort {
  /** Of the run of the system: another one after each start of the device; null: it does not say. */
  readonly bootId: Effect.Effect<string | null>
  /** Fails with `device.failed` where it cannot be restarted, as far as that is known beforehand. */
  readonly check: (target: Exclude<RestartTarget, 'stream'>) => Effect.Effect<void, Fault>
  /** Ends this run so that another is started, or has the system restart the device. Fails with `device.failed`. */
  readonly restart: (target: Exclude<RestartTarget, 'stream'>) => Effect.Effect<void, Fault>
  /** Durable. Fails with `device.failed`. */
  readonly note: (note: RestartNote) => Effect.Effect<void, Fault>
  /** What an earlier run has noted; it is forgotten with this. */
  readonly takeNote: Effect.Effect<RestartNote | null>
}

/** Who restarts. */
export const RESTART = token<RestartPort>('restart')
