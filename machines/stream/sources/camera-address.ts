// Where a camera on the network is, as a manifest names it, and what of that is shown.
import type { SchemaError } from '../../schema/explain.ts'
import type { CanonicalManifest } from '../manifest.ts'
import type { SourceDocument } from './source.ts'

/** What is shown of an address in place of what stands behind ? in it. */
const NOT_SHOWN = '?...'

/** What is wrong with the address of a source; nothing for one that has none. */
export const addressErrors = (source: SourceDocument): readonly SchemaError[] => {
  if (source.backend !== 'url') return []
  const errors: SchemaError[] = []
  const url = URL.parse(source.url)
  if (!url)
    errors.push({ pointer: '/source/url', message: 'is no address; it is written like http://10.12.34.11/video' })
  if (url?.username || url?.password)
    errors.push({
      pointer: '/source/url',
      message: 'holds a name or password, which everybody would see; give them as `username` and `password`',
    })
  if (source.url.endsWith(NOT_SHOWN))
    errors.push({
      pointer: '/source/url',
      message: `ends in ${NOT_SHOWN}, which stands where an address is shown for what is not; give the whole address again`,
    })
  if (source.password !== undefined && source.username === undefined)
    errors.push({ pointer: '/source/username', message: 'is missing, though there is a password' })
  return errors
}

/** A manifest as it may be shown: without the password of its camera, and without what stands behind ? in its address, where many cameras take theirs. */
export const shownManifest = (manifest: CanonicalManifest): CanonicalManifest => {
  if (manifest.source.backend !== 'url') return manifest
  const { password: _, url, ...source } = manifest.source
  return { ...manifest, source: { ...source, url: url.replace(/\?.*$/, NOT_SHOWN) } }
}
