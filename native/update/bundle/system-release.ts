// The release that carries a whole system: RAUC's own bundle, and what a device has to know of it.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { ReleaseManifest } from '../../../machines/update/release.ts'
import { SYSTEM_BASE, SYSTEM_BUNDLE_FILE } from '../../../machines/update/system-bundle.ts'
import { isVersion } from '../../../machines/update/version.ts'
import { writeRelease } from './release-folder.ts'
import { CannotBundle } from './sign.ts'

/** What RAUC's bundle does not say of itself. */
export interface SystemSaid {
  /** The machines that it is for: `linux-x64`. */
  readonly hardware: readonly string[]
  /** The oldest version that it may be installed over, and the oldest that is taken after it. */
  readonly minimumVersion: string
}

/**
 * Writes the folder of such a release. raucb: the file that `rauc bundle` made; its version and its compatible are
 * those of the release, as devices compare them. Throws CannotBundle.
 */
export const writeSystemRelease = (folder: string, raucb: string, said: SystemSaid): ReleaseManifest => {
  const { version, compatible } = infoOf(raucb)
  if (!isVersion(version))
    throw new CannotBundle(`${raucb} has the version "${version}", and devices compare those of semver.org`)
  return writeRelease(folder, [{ path: SYSTEM_BUNDLE_FILE, from: { file: raucb } }], {
    version,
    hardware: [...said.hardware],
    base: `${SYSTEM_BASE}${compatible}`,
    minimum_version: said.minimumVersion,
    built_at_ms: Math.floor(statSync(raucb).mtimeMs),
  })
}

/** Nothing is verified by RAUC here: the device does that, by its own keyring. */
const infoOf = (raucb: string): { readonly version: string; readonly compatible: string } => {
  statSync(raucb)
  const words = ['info', '--no-verify', '--output-format=json', raucb]
  try {
    const text = execFileSync('rauc', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const { version = '', compatible = '' } = JSON.parse(text) as { version?: string; compatible?: string }
    return { version, compatible }
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string }
    if (code === 'ENOENT') throw new CannotBundle('RAUC reads its own bundles; please install it: apt-get install rauc')
    throw new CannotBundle(`RAUC cannot read ${raucb}: ${stderr?.trim() || message}`)
  }
}
