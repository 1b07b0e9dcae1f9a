// What is noted beside packages, of packages that nobody has made.
import { createHash } from 'node:crypto'
import { DEFAULT_LIMITS } from '../../../machines/plugins/manifest.ts'
import { type ReleaseNote, releaseNameOf } from '../../../machines/plugins/package/release-note.ts'

export const noteOf = (name: string, version: string): ReleaseNote => {
  const sha256 = createHash('sha256').update(`${name} ${version}`).digest('hex')
  return {
    format: 1,
    name,
    version,
    sha256,
    release: releaseNameOf({ version, sha256 }),
    size_bytes: 300,
    unpacked_bytes: 200,
    at_ms: 1_769_863_441_000,
    manifest: {
      name,
      version,
      minimum_api: 1,
      title: name,
      description: '',
      permissions: ['topics'],
      limits: DEFAULT_LIMITS,
      provides: {},
    },
  }
}
