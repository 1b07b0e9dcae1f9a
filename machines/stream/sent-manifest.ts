// From a manifest as it was sent to one with a source: a camera may be named without any more words.
import type { SchemaError } from '../schema/explain.ts'
import type { SentManifest, StreamManifest } from './manifest.ts'

export type Sourced =
  | { readonly ok: true; readonly manifest: StreamManifest }
  | { readonly ok: false; readonly errors: readonly SchemaError[] }

/** Makes a source of a `camera_uid` that stands in its place. */
export const sourced = ({ camera_uid, source, ...manifest }: SentManifest): Sourced => {
  if (source && camera_uid === undefined) return { ok: true, manifest: { ...manifest, source } }
  if (!source && camera_uid !== undefined)
    return { ok: true, manifest: { ...manifest, source: { backend: 'v4l2', camera_uid } } }
  const error = source
    ? { pointer: '/camera_uid', message: 'stands beside a source; say one of them, the camera is named in either' }
    : { pointer: '/source', message: 'is missing; give a source, or the `camera_uid` of a camera that is plugged in' }
  return { ok: false, errors: [error] }
}
