// What a bundle may carry: the rules that its manifest has to keep before any of its files is believed. The reader of
// archives lets nearly everything through, so all of it is refused here.
import { oneLine } from '../schema/one-line.ts'
import { pathFlaw as archivePathFlaw, namesFlaw } from './archive-names.ts'
import type { ReleaseManifest } from './release.ts'
import { isVersion } from './version.ts'

/** The first entry of a bundle, and a file of every release. */
export const MANIFEST_NAME = 'release.json'
/** The second entry: who signed the first one. It is no file of the release. */
export const SIGNATURES_NAME = 'signatures.json'
/** What marks a version as whole, once it lies on a device. */
export const COMPLETE_NAME = 'complete'

/** 20,000 files with long names take less. */
export const MAX_MANIFEST_BYTES = 8 * 1024 * 1024
export const MAX_SIGNATURES_BYTES = 64 * 1024
/** Packed: ten times what a release has now. */
export const MAX_BUNDLE_BYTES = 1024 ** 3
/** Of all files unpacked: ten times what a release has now. */
export const MAX_RELEASE_BYTES = 4 * 1024 ** 3

const OURS: readonly string[] = [MANIFEST_NAME, SIGNATURES_NAME, COMPLETE_NAME]

const TAR_BLOCK_BYTES = 512
/** A header, and what long names add to it: another header and its content. */
const TAR_BYTES_OF_FILE = 4 * TAR_BLOCK_BYTES
/** Archives end with empty blocks; some writers fill up a record of 20. */
const TAR_BYTES_OF_END = 20 * TAR_BLOCK_BYTES

/** What an archive may have unpacked before its signature held. */
export const MAX_UNSIGNED_TAR_BYTES =
  MAX_MANIFEST_BYTES + MAX_SIGNATURES_BYTES + 2 * (TAR_BYTES_OF_FILE + TAR_BLOCK_BYTES)

/** What an archive with these files may have unpacked. */
export const maxTarBytes = ({ files }: ReleaseManifest): number =>
  files.reduce((sum, { bytes }) => sum + TAR_BYTES_OF_FILE + TAR_BLOCK_BYTES + bytes, MAX_UNSIGNED_TAR_BYTES) +
  TAR_BYTES_OF_END

/** All bytes of the files. */
export const releaseBytes = ({ files }: ReleaseManifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** What is wrong with the name of a file, after `the name "..." `; undefined: nothing. */
export const pathFlaw = (path: string): string | undefined => archivePathFlaw(path, OURS)

/** What is wrong with a manifest that fits its schema, as a sentence; undefined: nothing. */
export const manifestFlaw = (manifest: ReleaseManifest): string | undefined => {
  for (const version of [manifest.version, manifest.minimum_version])
    if (!isVersion(version)) return `its version ${JSON.stringify(version)} is not one as of semver.org`
  if (releaseBytes(manifest) > MAX_RELEASE_BYTES) return `its files have more than ${MAX_RELEASE_BYTES} bytes`
  return namesFlaw({ files: manifest.files.map(({ path }) => path), taken: OURS })
}

/** It brings its libraries along: what it fits is judged by who installs it. */
const WHOLE_SYSTEM = 'rauc:'

/** What a bundle has to fit. */
export interface UpdatedDevice {
  /** Platform and architecture, as Node names them: `linux-x64`. */
  readonly hardware: string
  /** The system on it, as `debian-12`; null: it does not say, and any will do. */
  readonly base: string | null
}

/** Why a release cannot run on a device, as a sentence; undefined: it can. */
export const misfit = ({ hardware, base }: ReleaseManifest, device: UpdatedDevice): string | undefined => {
  if (!hardware.includes(device.hardware))
    return oneLine`
      it was made for ${hardware.join(', ')}, and this device is ${device.hardware}; take the bundle that was made for
      ${device.hardware}
    `
  if (device.base !== null && base !== device.base && !base.startsWith(WHOLE_SYSTEM))
    return oneLine`
      it needs the libraries of ${base}, and this device has ${device.base}; take the bundle that was made for
      ${device.base}
    `
  return undefined
}
