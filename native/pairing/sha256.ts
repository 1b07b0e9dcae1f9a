// Commitment and code, by SHA-256: as numeric comparison of Bluetooth has it. Why this is enough:
// docs/decisions/0162-pairing-by-a-short-code.md.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PairingCodes } from './port.ts'

// what is hashed for one is never taken for the other
const [COMMITMENT, CODE] = ['vedette.pair.commit', 'vedette.pair.v1']
const CODES = 1_000_000n

/** Each field with its length in front, so that no two lists of fields are the same bytes. */
const hashOf = (word: string, ...fields: readonly string[]): Buffer => {
  const hash = createHash('sha256')
  for (const field of [Buffer.from(word, 'ascii'), ...fields.map((hex) => Buffer.from(hex, 'hex'))]) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(field.length)
    hash.update(length).update(field)
  }
  return hash.digest()
}

const commitment: PairingCodes['commitment'] = ({ caller, called, callerNonce }) =>
  hashOf(COMMITMENT, callerNonce, caller, called).toString('hex')

export const sha256Codes: PairingCodes = {
  nonce: () => randomBytes(32).toString('hex'),
  id: () => randomBytes(16).toString('hex'),
  commitment,
  isKept: (promised, of) => {
    const [one, other] = [Buffer.from(promised, 'hex'), Buffer.from(commitment(of), 'hex')]
    return one.length === other.length && timingSafeEqual(one, other)
  },
  code: ({ caller, called, callerNonce, calledNonce }) =>
    (hashOf(CODE, caller, called, callerNonce, calledNonce).readBigUInt64BE() % CODES).toString().padStart(6, '0'),
}
