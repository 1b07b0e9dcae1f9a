// By what the lens of a stream is told from another one.
import type { CanonicalManifest } from './manifest.ts'
import { isComputed } from './sources/traits.ts'

/** undefined: nobody has calibrated it. */
export const lensKeyOf = (
  manifest: Pick<CanonicalManifest, 'source' | 'intrinsics'> | undefined,
): string | undefined =>
  manifest?.intrinsics
    ? JSON.stringify(manifest.intrinsics)
    : manifest && isComputed(manifest.source)
      ? JSON.stringify(manifest.source)
      : undefined
