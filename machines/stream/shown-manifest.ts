// What of a stored manifest may be shown to everybody.
import type { CanonicalManifest } from './manifest.ts'
import { shownSource } from './sources/traits.ts'

/** A manifest as it may be shown: without what of its source is a secret. */
export const shownManifest = (manifest: CanonicalManifest): CanonicalManifest => ({
  ...manifest,
  source: shownSource(manifest.source),
})
