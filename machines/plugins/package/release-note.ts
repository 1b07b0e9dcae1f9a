// What is noted beside a package on the disk, so that nobody has to open it to know what it is.
import type { Static } from 'typebox'
import Type from '../../schema/type.ts'
import { PluginManifest } from '../manifest.ts'
import { PluginName, PluginVersion } from '../name.ts'
import { ReleaseName } from '../stored-plugin.ts'
import { MAX_PACKAGE_BYTES, MAX_UNPACKED_BYTES } from './rules.ts'

const strict = { additionalProperties: false } as const

const fields = {
  name: PluginName,
  version: PluginVersion,
  release: ReleaseName,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Digits and letters a to f. Of the package.' }),
  size_bytes: Type.Integer({ minimum: 1, maximum: MAX_PACKAGE_BYTES, description: 'Of the package.' }),
  unpacked_bytes: Type.Integer({ minimum: 0, maximum: MAX_UNPACKED_BYTES, description: 'Of its files.' }),
  at_ms: Type.Integer({ minimum: 0, description: 'When it came, Unix time.' }),
  manifest: PluginManifest,
}

/** The file `package.json` beside a package. */
export const ReleaseNote = Type.Object(
  { format: Type.Literal(1), ...fields },
  { ...strict, title: 'PluginReleaseNote', description: 'What is noted of a package on the disk.' },
)
export type ReleaseNote = Static<typeof ReleaseNote>

/** Names an upload: a later one of the same version takes its place. */
export const UploadName = Type.String({
  pattern: '^[a-z][a-z0-9-]{1,39}-[0-9][0-9A-Za-z.-]{0,70}$',
  description: 'Small letters, digits and hyphens, then a hyphen and the version.',
  examples: ['note-finder-1.2.0'],
})

export const uploadNameOf = ({ name, version }: Pick<ReleaseNote, 'name' | 'version'>): string => `${name}-${version}`

/** How a release is named on the disk. */
export const releaseNameOf = ({ version, sha256 }: Pick<ReleaseNote, 'version' | 'sha256'>): string =>
  `${version}-${sha256.slice(0, HASH_DIGITS)}`

const HASH_DIGITS = 12

/** An upload as clients see it. */
export const PluginUpload = Type.Object(
  {
    upload: UploadName,
    sha256: fields.sha256,
    size_bytes: fields.size_bytes,
    unpacked_bytes: fields.unpacked_bytes,
    uploaded_at_ms: fields.at_ms,
    manifest: PluginManifest,
  },
  { ...strict, title: 'PluginUpload', description: 'A package that was checked, and of which nothing runs.' },
)
export type PluginUpload = Static<typeof PluginUpload>

export const uploadOf = (note: ReleaseNote): PluginUpload => ({
  upload: uploadNameOf(note),
  sha256: note.sha256,
  size_bytes: note.size_bytes,
  unpacked_bytes: note.unpacked_bytes,
  uploaded_at_ms: note.at_ms,
  manifest: note.manifest,
})
