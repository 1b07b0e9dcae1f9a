// A bundle that carries a whole system instead of a release: RAUC's own bundle is its only file.
import { oneLine } from '../schema/one-line.ts'
import type { ReleaseManifest } from './release.ts'

/** The only file of such a bundle. */
export const SYSTEM_BUNDLE_FILE = 'system.raucb'

/** What its `base` begins with; after it stands what RAUC calls the compatible. */
export const SYSTEM_BASE = 'rauc:'

/** Whether a bundle carries a whole system. */
export const isSystemBundle = ({ base, files }: Pick<ReleaseManifest, 'base' | 'files'>): boolean =>
  base.startsWith(SYSTEM_BASE) && files.length === 1 && files[0]?.path === SYSTEM_BUNDLE_FILE

/** Why a device that installs whole systems does not take a bundle, as a sentence; null: it may. */
export const noSystem = (manifest: Pick<ReleaseManifest, 'base' | 'files'>): string | null =>
  isSystemBundle(manifest)
    ? null
    : oneLine`
        this device installs whole systems with RAUC, and the bundle carries a release of the service alone; take a
        bundle whose only file is ${SYSTEM_BUNDLE_FILE} and whose base begins with ${SYSTEM_BASE}
      `

/** Why a device that installs releases does not take a bundle, as a sentence; null: it may. */
export const noRelease = ({ base }: Pick<ReleaseManifest, 'base'>): string | null =>
  base.startsWith(SYSTEM_BASE)
    ? oneLine`
        the bundle carries a whole system for a device with RAUC, and this device has none; take the bundle with a
        release of the service
      `
    : null
