// What two devices compute while they are paired: chance, a promise, and the code that people compare.
import { token } from '../../machines/token.ts'

/**
 * The certificates that take part, as one side sees them in its own handshake: SHA-256 of each, 64 hex digits. caller:
 * of the device that began.
 */
export interface PairingCertificates {
  readonly caller: string
  readonly called: string
}

/** The chance of either side: 64 hex digits each. */
export interface PairingNonces {
  readonly callerNonce: string
  readonly calledNonce: string
}

/**
 * Commitment and code of a pairing run.
 *
 * The one that calls promises its nonce (`commitment`) before it knows the other's, and shows it afterwards (`isKept`),
 * so that nobody in between can look for a nonce that makes two codes equal.
 */
export interface PairingCodes {
  /** 32 random bytes, as hex. */
  readonly nonce: () => string
  /** A name for a run: 16 random bytes, as hex. */
  readonly id: () => string
  /** SHA-256, 64 hex digits. */
  readonly commitment: (of: PairingCertificates & Pick<PairingNonces, 'callerNonce'>) => string
  /** Compares in constant time. */
  readonly isKept: (commitment: string, of: PairingCertificates & Pick<PairingNonces, 'callerNonce'>) => boolean
  /** Six digits. */
  readonly code: (of: PairingCertificates & PairingNonces) => string
}

/** What pairing computes. */
export const PAIRING_CODES = token<PairingCodes>('pairing-codes')
