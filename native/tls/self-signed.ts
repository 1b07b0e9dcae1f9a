// A certificate of the device's own, signed by itself.
import type { Certificate } from './port.ts'

// a device without a network engineer shall not stop talking on a Saturday because a certificate ran out
const VALID_YEARS = 20

/** It is later than this: a device without a battery for its clock believes to be in 1970 when it makes its own. */
const MIN_NOW_MS = Date.UTC(2026)

/** Makes one. names: of the device. nowMs: Unix time. */
export const selfSigned = async (names: readonly string[], nowMs: number): Promise<Certificate> => {
  const { generate } = await import('selfsigned') // 30 ms to load, needed once in a device's life
  const notBeforeDate = new Date(nowMs)
  const notAfterDate = new Date(Math.max(nowMs, MIN_NOW_MS))
  notAfterDate.setFullYear(notAfterDate.getFullYear() + VALID_YEARS)
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? 'vedette' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: [...names, 'localhost'].map((value) => ({ type: 2, value })) }],
  })
  return { key, cert }
}
