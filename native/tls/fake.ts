// A certificate that is kept nowhere.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Certificate, CertificatesPort } from './port.ts'
import { selfSigned } from './self-signed.ts'

/** Makes its own at the first question, and gives the same from then on. */
export class FakeCertificates implements CertificatesPort {
  /** What it gives. */
  certificate: Certificate | undefined
  /** As long as this is set, there is none. */
  fault: Fault | undefined

  readonly load = (): Effect.Effect<Certificate, Fault> =>
    Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.promise(() => this.#own())))

  async #own(): Promise<Certificate> {
    this.certificate ??= await selfSigned(['vedette'], Date.now()) // the other side of a handshake has the real time
    return this.certificate
  }
}
