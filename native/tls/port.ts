// What HTTPS is served with.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** PEM texts; either may hold more than its own part. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

export interface CertificatesPort {
  /**
   * The certificate that people placed, else the device's own, which is made when there is none that bears its name.
   * Looked for again each time, and good for a handshake.
   *
   * record: told `certificate.broken` when the device's own had to be set aside for a new one, and
   * `certificate.not_kept` when it bears a previous name because one for the present name cannot be stored. Fails with
   * `certificate.unusable` when what people placed cannot be used: it is theirs and stays as it is; with
   * `certificate.not_kept` when there is none and a new one cannot be stored.
   */
  readonly load: (record: (fault: Fault) => void) => Effect.Effect<Certificate, Fault>
}

/** The certificates of this device. */
export const CERTIFICATES = token<CertificatesPort>('certificates')
