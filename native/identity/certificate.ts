// The certificate by which devices know one another: P-256, signed by itself, with the device's UUID in it. Written by
// hand, since that takes a millisecond and nobody has to wait for it; why that is enough:
// docs/decisions/0160-who-a-device-is.md.
import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import type { DeviceIdentity } from './port.ts'

/** Makes a key and its certificate for a device. */
export const madeIdentity = (device_id: string): DeviceIdentity => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = bodyOf(device_id, publicKey.export({ type: 'spki', format: 'der' }))
  const signature = sign('sha256', body, privateKey)
  const cert = new X509Certificate(sequence(body, SIGNED_BY, bits(signature)))
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return { device_id, key, cert: cert.toString(), fingerprint: fingerprintOf(cert) }
}

/** SHA-256 of a certificate (DER): what it is known by. */
export const fingerprintOf = ({ raw }: Pick<X509Certificate, 'raw'>): string =>
  createHash('sha256').update(raw).digest('hex')

/** The device that a certificate names; undefined: none. */
export const deviceIn = ({ subjectAltName }: Pick<X509Certificate, 'subjectAltName'>): string | undefined =>
  /^URI:urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(subjectAltName ?? '')?.[1]

/** DER (X.690): one value with its tag and its length in front. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const set = (part: Uint8Array): Buffer => der(0x31, part)
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes)
const octets = (part: Uint8Array): Buffer => der(0x04, part)
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes) // none of the last byte is unused
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value, 'ascii'))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const [UTF8_STRING, UTC_TIME, GENERALIZED_TIME, URI] = [0x0c, 0x17, 0x18, 0x86]
const VERSION_3 = der(0xa0, integer(Buffer.from([2])))
const SIGNED_BY = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256, RFC 5758
const COMMON_NAME = oid('550403')
const CRITICAL = der(0x01, Buffer.from([0xff]))
const [ALTERNATIVE_NAME, BASIC_CONSTRAINTS, KEY_USAGE] = [oid('551d11'), oid('551d13'), oid('551d0f')]
const SIGNATURES = Buffer.from([0x03, 0x02, 0x07, 0x80]) // a bit string: digitalSignature

/**
 * From a day that no clock is before to the one which means "no end" (RFC 5280, 4.1.2.5): a device without a battery
 * clock wakes up years ago.
 */
const VALID = sequence(text(UTC_TIME, '000101000000Z'), text(GENERALIZED_TIME, '99991231235959Z'))

/** What is signed (RFC 5280, 4.1.2). publicKey: as DER. */
const bodyOf = (device_id: string, publicKey: Uint8Array): Buffer => {
  const name = sequence(set(sequence(COMMON_NAME, text(UTF8_STRING, device_id))))
  const alternativeName = sequence(text(URI, `urn:uuid:${device_id}`))
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, CRITICAL, octets(sequence())), // it signs no others
    sequence(KEY_USAGE, CRITICAL, octets(SIGNATURES)),
    sequence(ALTERNATIVE_NAME, octets(alternativeName)),
  )
  return sequence(VERSION_3, integer(serial()), SIGNED_BY, name, VALID, name, publicKey, der(0xa3, extensions))
}

/** Positive, and as short as it can be written: the first byte is from 1 to 127. */
const serial = (): Buffer => {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40
  return bytes
}
