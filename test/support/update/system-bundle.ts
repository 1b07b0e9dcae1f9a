// Bundles with a whole system in them, as the store gives them when their signature and their content hold.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { SYSTEM_BUNDLE_FILE } from '../../../machines/update/system-bundle.ts'
import type { VerifiedBundle } from '../../../native/update/port.ts'

/** A bundle around a system. content: of RAUC's own bundle. */
export const systemBundle = (content: Buffer, more: Partial<ReleaseManifest> = {}): VerifiedBundle => {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const manifest: ReleaseManifest = {
    format: 'vedette-release-1',
    product: 'vedette',
    version: '2.0.0',
    hardware: ['linux-x64'],
    base: 'rauc:vedette-test',
    minimum_version: '1.5.0',
    built_at_ms: 1_790_000_000_000,
    files: [{ path: SYSTEM_BUNDLE_FILE, bytes: content.length, sha256, executable: false }],
    ...more,
  }
  const manifestBytes = Buffer.from(JSON.stringify(manifest))
  return {
    manifest,
    manifestBytes,
    sha256: createHash('sha256').update(manifestBytes).digest('hex'),
    path: '/nowhere/upload.vedette',
    signed_by: 'a test',
    files: async function* () {
      for (const { path, bytes, executable } of manifest.files)
        yield { path, bytes, executable, content: Readable.from([content]) }
    },
  }
}
