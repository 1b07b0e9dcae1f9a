// What releases of tests say of themselves.
import { createHash } from 'node:crypto'
import type { ReleaseFile, ReleaseManifest } from '../../../machines/update/release.ts'

/** A manifest. files: what it lists. */
export const manifestWith = ({
  files,
  ...more
}: Partial<ReleaseManifest> & Pick<ReleaseManifest, 'files'>): ReleaseManifest => ({
  format: 'vedette-release-1',
  product: 'vedette',
  version: '1.2.3',
  hardware: ['linux-x64'],
  base: 'debian-12',
  minimum_version: '1.0.0',
  built_at_ms: 1_790_000_000_000,
  files,
  ...more,
})

/** A file as a manifest lists it. What lies in bin/ are programs. */
export const listedFile = (
  path: string,
  content: string | Buffer,
  executable = path.startsWith('bin/'),
): ReleaseFile => ({
  path,
  bytes: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
  executable,
})
