// Decides whether a bundle is believed: its signature first, then what it is a release of, and for what, and then every
// byte of it.
import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Fault } from '../../../machines/errors/fault.ts'
import { firstError, schemaErrors } from '../../../machines/schema/errors.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import {
  MANIFEST_NAME,
  manifestFlaw,
  misfit,
  SIGNATURES_NAME,
  type UpdatedDevice,
} from '../../../machines/update/bundle-rules.ts'
import { BundleSignatures, isExpired, type UpdateKey } from '../../../machines/update/keys.ts'
import { ReleaseManifest } from '../../../machines/update/release.ts'
import type { OnProgress, VerifiedBundle } from '../port.ts'
import { readBundle } from './read.ts'
import { refused } from './refusals.ts'

/** By what a bundle is judged. */
export interface Judging {
  readonly keys: readonly UpdateKey[]
  /** By which keys are judged: see keyTimeMs. */
  readonly timeMs: number
  readonly device: UpdatedDevice
}

/** How a check goes on, and how it is stopped. */
export interface Checking {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** Checks all of a bundle. Throws a Fault: `update.refused`, or `device.failed` when the disk cannot be read. */
export const verifyBundle = async (
  path: string,
  judging: Judging,
  { onProgress = () => {}, signal }: Checking = {},
): Promise<VerifiedBundle> => {
  let found: Omit<VerifiedBundle, 'files'> | undefined
  const accept = (manifestBytes: Buffer, signatures: Buffer): ReleaseManifest => {
    const signed_by = signerOf(manifestBytes, signatures, judging)
    const manifest = believedManifest(manifestBytes, judging.device)
    found = { manifest, manifestBytes, sha256: sha256Of(manifestBytes), path, signed_by }
    return manifest
  }
  for await (const { content } of readBundle({ path, accept, onProgress, ...(signal && { signal }) }))
    for await (const _ of content);
  if (!found) throw new Error('a bundle was read without its manifest')
  const { manifest, sha256 } = found
  const acceptAgain = (bytes: Buffer): ReleaseManifest => {
    if (sha256Of(bytes) !== sha256) throw refused('it is another one than the one that was checked')
    return manifest
  }
  return { ...found, files: () => readBundle({ path, accept: acceptAgain }) }
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The id of a key that is trusted and has signed this; throws a Fault where there is none. */
const signerOf = (manifest: Buffer, signatures: Buffer, { keys, timeMs }: Judging): string => {
  const read = parseJson(signatures)
  const errors = schemaErrors(BundleSignatures, read)
  if (errors.length > 0) throw refused(firstError(errors, SIGNATURES_NAME))
  const named = (read as BundleSignatures).map(({ key: id, signature }) => ({
    id,
    signature: Buffer.from(signature, 'base64url'),
    key: keys.find((key) => key.id === id),
  }))
  const holding = named.find(
    ({ key, signature }) => key && !isExpired(key, timeMs) && verify(null, manifest, publicKey(key), signature),
  )
  if (holding) return holding.id
  throw untrusted(named, keys, timeMs)
}

const publicKey = ({ public_key }: UpdateKey) =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: public_key }, format: 'jwk' })

interface Named {
  readonly id: string
  readonly key: UpdateKey | undefined
}

const untrusted = (named: readonly Named[], keys: readonly UpdateKey[], timeMs: number): Fault => {
  const known = named.flatMap(({ key }) => (key ? [key] : []))
  const expired = known.find((key) => isExpired(key, timeMs))
  if (known.some((key) => !isExpired(key, timeMs)))
    return refused(`${MANIFEST_NAME} is not what ${known[0]?.id} signed; take the bundle from where it was made`)
  if (expired)
    return refused(
      oneLine`
        the key ${expired.id} that signed it has ended on ${dayOf(expired.not_after_ms ?? 0)}; have it signed with one
        that this device trusts now
      `,
    )
  return refused(
    oneLine`
      it was signed by ${named.map(({ id }) => id).join(', ')}, and this device trusts
      ${keys.length === 0 ? 'no key' : keys.map(({ id }) => id).join(', ')} (update-keys.json)
    `,
  )
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const believedManifest = (bytes: Buffer, device: UpdatedDevice): ReleaseManifest => {
  const read = parseJson(bytes)
  const errors = schemaErrors(ReleaseManifest, read)
  if (errors.length > 0) throw refused(firstError(errors, MANIFEST_NAME))
  const manifest = read as ReleaseManifest
  const why = misfit(manifest, device) ?? manifestFlaw(manifest)
  if (why) throw refused(why)
  return manifest
}

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
