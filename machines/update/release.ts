// What a release says of itself: `release.json` in its folder, and the first entry of the bundle that carries it.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** A file of a release. */
export const ReleaseFile = Type.Object(
  {
    path: Type.String({ description: 'Relative to the folder of the release, parts separated by /.' }),
    bytes: Type.Integer({ minimum: 0, description: 'Its size.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of its content, hexadecimal.' }),
    executable: Type.Boolean({ description: 'Whether it is a program: mode 755, else 644.' }),
  },
  { ...strict, title: 'ReleaseFile', description: 'A file of a release.' },
)
export type ReleaseFile = Static<typeof ReleaseFile>

/** What a release says of itself. */
export const ReleaseManifest = Type.Object(
  {
    format: Type.Literal('vedette-release-1', { description: 'Of this document.' }),
    product: Type.Literal('vedette', { description: 'What it is a release of.' }),
    version: Type.String({ maxLength: 64, description: 'As of semver.org.' }),
    hardware: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 16,
      description: 'What it runs on, as `linux-x64`: platform and architecture, as Node names them.',
    }),
    base: Type.String({ maxLength: 64, description: 'The system whose libraries it needs, as `debian-12`.' }),
    minimum_version: Type.String({
      maxLength: 64,
      description: oneLine`
        The oldest version that may be installed over it, unless an administrator allows an older one: a floor under
        downgrades to versions with known holes.
      `,
    }),
    built_at_ms: Type.Integer({ minimum: 0, description: 'When it was built, Unix time.' }),
    files: Type.Array(ReleaseFile, { maxItems: 20_000, description: 'All files but this one, by path.' }),
  },
  { ...strict, title: 'ReleaseManifest', description: 'What a release says of itself.' },
)
export type ReleaseManifest = Static<typeof ReleaseManifest>

/** The release that the package brought: it lies outside the versions, and can always be run. */
export const PACKAGED = 'packaged'

const HASH_DIGITS = 12

/** The name of the folder of a version. sha256: of its release.json. */
export const versionName = (version: string, sha256: string): string => `${version}-${sha256.slice(0, HASH_DIGITS)}`

/** The version that is in such a name; that of `packaged` is empty. */
export const versionIn = (name: string): string => name.slice(0, -HASH_DIGITS - 1)
