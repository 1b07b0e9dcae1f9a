// Pairing without chance: every code is the same, so that a reference can show it.
import type { PairingCodes } from './port.ts'

export const FAKE_CODE = '271828'
export const FAKE_NONCE = '5a'.repeat(32)
const FAKE_ID = '3c'.repeat(16)

/** Breaks every promise while it is told to. */
export class FakePairingCodes implements PairingCodes {
  keepsPromises = true
  readonly nonce = () => FAKE_NONCE
  readonly id = () => FAKE_ID
  readonly commitment = () => 'c0'.repeat(32)
  readonly isKept = () => this.keepsPromises
  readonly code = () => FAKE_CODE
}
