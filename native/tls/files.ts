// The device's certificate, in the data directory: made at the first start that needs one, self-signed; a team may put its own in its place.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './port.ts'

const VALID_YEARS = 20 // a device without a network engineer shall not stop talking on a Saturday because a certificate ran out

/** Reads `key.pem` and `cert.pem` of a folder, or makes them. names: of the device, for the certificate. */
export const certificateFiles = async (folder: string, names: readonly string[]): Promise<Certificate> => {
  const keyPath = join(folder, 'key.pem')
  const certPath = join(folder, 'cert.pem')
  if (existsSync(keyPath) && existsSync(certPath))
    return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certPath, 'utf8') }
  const made = await make(names)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [path, text] of [
    [keyPath, made.key],
    [certPath, made.cert],
  ] as const) {
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  return made
}

const make = async (names: readonly string[]): Promise<Certificate> => {
  const { generate } = await import('selfsigned') // 30 ms to load, needed once in a device's life
  const notAfterDate = new Date()
  notAfterDate.setFullYear(notAfterDate.getFullYear() + VALID_YEARS)
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? 'vedette' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate,
    extensions: [{ name: 'subjectAltName', altNames: [...names, 'localhost'].map((value) => ({ type: 2, value })) }],
  })
  return { key, cert }
}
