// Keys that sign releases: PEM files with an Ed25519 key. The id of a key follows from it, so that nothing has to be
// kept beside the file.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { BundleSignatures, UpdateKey } from '../../../machines/update/keys.ts'

/** A key that signs. */
export interface SigningKey {
  readonly id: string
  readonly key: KeyObject
}

/** What cannot be made of what was given; the message is for people. */
export class CannotBundle extends Error {}

/** A new key, as the text of its file. */
export const makeSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/** Reads a key that signs. pem: the text of its file; path: its name, for people. */
export const parseSigningKey = (pem: string, path: string): SigningKey => {
  const key = privateKeyOf(pem)
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new CannotBundle(
      oneLine`
        ${path} holds no Ed25519 key that signs (PEM, without a password); make one with npm run update-key -- --out
        FILE
      `,
    )
  return { key, id: keyId(rawPublicKey(key)) }
}

const privateKeyOf = (pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** Reads the file of a key that signs. */
export const readSigningKey = (path: string): SigningKey => {
  try {
    return parseSigningKey(readFileSync(path, 'utf8'), path)
  } catch (error) {
    throw error instanceof CannotBundle ? error : new CannotBundle(`cannot read the key: ${(error as Error).message}`)
  }
}

/** What a device has to know of a key that signs. */
export const updateKeyOf = ({ id, key }: SigningKey, notAfterMs: number | null): UpdateKey => ({
  id,
  public_key: rawPublicKey(key).toString('base64url'),
  not_after_ms: notAfterMs,
})

/** Signs the bytes of a manifest. The same bytes have the same signatures. */
export const signaturesOf = (manifest: Buffer, keys: readonly SigningKey[]): BundleSignatures =>
  keys.map(({ id, key }) => ({ key: id, signature: sign(null, manifest, key).toString('base64url') }))

/** The 32 bytes of its public half. */
const rawPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')

/** By which a key is called. raw: its 32 bytes. */
export const keyId = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex').slice(0, 16)
