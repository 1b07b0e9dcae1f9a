// Bundles with a whole system in them, as the store gives them when their signature and their content hold.
import { Readable } from 'node:stream'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { SYSTEM_BUNDLE_FILE } from '../../../machines/update/system-bundle.ts'
import { verifiedBundle } from '../../../native/update/fake.ts'
import type { VerifiedBundle } from '../../../native/update/port.ts'
import { listedFile, manifestWith } from './manifest.ts'

/** A bundle around a system. content: of RAUC's own bundle. */
export const systemBundle = (content: Buffer, more: Partial<ReleaseManifest> = {}): VerifiedBundle => {
  const manifest = manifestWith({
    version: '2.0.0',
    base: 'rauc:vedette-test',
    minimum_version: '1.5.0',
    files: [listedFile(SYSTEM_BUNDLE_FILE, content)],
    ...more,
  })
  return verifiedBundle(Buffer.from(JSON.stringify(manifest)), () => Readable.from([content]))
}
