// Where a camera on the network is, as a manifest names it, and what of that is shown.
import type { SchemaError } from '../../schema/explain.ts'
import type { CanonicalManifest } from '../manifest.ts'
import type { SourceDocument } from './source.ts'

/** What is shown of an address in place of what stands behind ? in it. */
const NOT_SHOWN = '?...'

/** What is wrong with an address, each as the end of a sentence. instead: where a name and password belong. */
export const addressComplaints = (text: string, instead: string): readonly string[] => {
  const url = URL.parse(text)
  return [
    ...(url && CALLED.test(url.protocol) ? [] : ['is no address; it is written like http://10.12.34.11/video']),
    ...(url?.username || url?.password
      ? [`holds a name or password, which everybody would see; give them ${instead}`]
      : []),
    ...(text.endsWith(NOT_SHOWN)
      ? [`ends in ${NOT_SHOWN}, which stands where an address is shown for what is not; give the whole address again`]
      : []),
  ]
}

const CALLED = /^(https?|rtsps?):$/

/** An address as it may be shown: without what stands behind ? in it, where many cameras take their password, and without a name and password, which were not always refused. */
export const shownAddress = (url: string): string =>
  url.replace(/\?.*$/s, NOT_SHOWN).replace(/^([a-z]+:\/*)[^/]*@/i, '$1')

/** What is wrong with the address of a source; nothing for one that has none. */
export const addressErrors = (source: SourceDocument): readonly SchemaError[] => {
  if (source.backend !== 'url') return []
  const complaints = addressComplaints(source.url, 'as `username` and `password`')
  const errors: SchemaError[] = complaints.map((message) => ({ pointer: '/source/url', message }))
  if (source.password !== undefined && source.username === undefined)
    errors.push({ pointer: '/source/username', message: 'is missing, though there is a password' })
  return errors
}

/** A manifest as it may be shown: without the password of its camera, and with its address as that may be. */
export const shownManifest = (manifest: CanonicalManifest): CanonicalManifest => {
  if (manifest.source.backend !== 'url') return manifest
  const { password: _, url, ...source } = manifest.source
  return { ...manifest, source: { ...source, url: shownAddress(url) } }
}
