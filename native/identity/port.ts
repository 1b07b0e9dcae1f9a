// Who this device is to other devices.
import type * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** Who a device is. */
export interface DeviceIdentity {
  /** A UUID. */
  readonly device_id: string
  /**
   * PEM texts; the certificate is what other devices know it by, signed by itself, without an end and without a host
   * name.
   */
  readonly key: string
  /**
   * PEM texts; the certificate is what other devices know it by, signed by itself, without an end and without a host
   * name.
   */
  readonly cert: string
  /** SHA-256 of the certificate (DER), 64 hex digits, lower case. */
  readonly fingerprint: string
}

/**
 * The identity of this device, which it keeps as long as its data directory. One that cannot be kept it does not have:
 * nobody is shown what is gone after the next start.
 */
export interface IdentityPort {
  /**
   * Who it is, the same until the service stops; or why it is nobody for now: `identity.not_kept`,
   * `identity.unreadable`.
   */
  readonly now: () => DeviceIdentity | Fault
  /** Looks again where there is none; fails with the same. */
  readonly look: Effect.Effect<void, Fault>
}

/** Who this device is. */
export const IDENTITY = token<IdentityPort>('identity')

/** null: it is nobody for now. */
export const keptIdentity = ({ now }: Pick<IdentityPort, 'now'>): DeviceIdentity | null => {
  const found = now()
  return isFault(found) ? null : found
}
