// Names of entries in the trust list.
import Type from '../schema/type.ts'

export const TrustId = Type.String({
  pattern: '^(certificate|token)-[0-9a-f]{16}$',
  description:
    'An entry of the trust list: what it goes by, and 16 hex digits, of a certificate the first of its fingerprint.',
  examples: ['certificate-5f3a9c0b7d1e2f4a'],
})

/** A certificate has one entry at most. */
export const idOfCertificate = (fingerprint: string): string => `certificate-${fingerprint.slice(0, 16)}`

/** random: 8 bytes as hex. */
export const idOfToken = (random: string): string => `token-${random}`
