// Who this device is to other devices.
import { token } from '../../machines/token.ts'

/**
 * The identity of this device; it keeps it as long as its data directory.
 *
 * device_id: a UUID. key, cert: PEM texts; the certificate is what other devices know it by, signed by itself, without an end and without a host name.
 * fingerprint: SHA-256 of the certificate (DER), 64 hex digits, lower case.
 */
export interface IdentityPort {
  readonly device_id: string
  readonly key: string
  readonly cert: string
  readonly fingerprint: string
}

/** Who this device is. */
export const IDENTITY = token<IdentityPort>('identity')
